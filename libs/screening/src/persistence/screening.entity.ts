import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Audit of a source's answer about an address, with the reason of the question. */
@Entity('screenings')
@Index(['address'])
export class ScreeningEntity {
  /** Payment or withdrawal. */
  @PrimaryColumn('text')
  reference!: string;

  @PrimaryColumn('text')
  purpose!: string;

  /** Lower case. */
  @PrimaryColumn('text')
  address!: string;

  @PrimaryColumn('text')
  source!: string;

  /** `clear`, `sanctioned` or `unanswered`. */
  @PrimaryColumn('text')
  verdict!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  firstAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  lastAt!: Date;

  @Column({ type: 'integer', default: 1 })
  times!: number;
}
