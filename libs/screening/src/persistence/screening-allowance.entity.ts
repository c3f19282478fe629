import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A small sum that went on although a source did not answer. */
@Entity('screening_allowances')
@Index(['owner', 'allowedAt'])
export class ScreeningAllowanceEntity {
  /** Payment or withdrawal. */
  @PrimaryColumn('text')
  reference!: string;

  /** Lower case. */
  @Column('text')
  owner!: string;

  @Column('numeric')
  usd!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  allowedAt!: Date;
}
