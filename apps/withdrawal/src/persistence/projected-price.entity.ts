import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('prices')
export class ProjectedPrice {
  @PrimaryColumn('text')
  asset!: string;

  @Column('bigint')
  version!: string;

  /** US dollars for one whole unit. */
  @Column('text')
  usd!: string;

  @Column('timestamptz')
  observedAt!: Date;

  /** Time of the newest event that confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
