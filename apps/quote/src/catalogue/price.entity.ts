import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Newest published price in US dollars per unit. */
@Entity('prices')
export class PriceEntity {
  @PrimaryColumn('text')
  asset!: string;

  @Column('numeric')
  usd!: string;

  @Column('timestamptz')
  observedAt!: Date;

  @Column('integer')
  version!: number;

  /** Time of the last event about the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
