import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The newest observed price of an asset, in US dollars per unit. */
@Entity('prices')
export class PriceEntity {
  @PrimaryColumn('text')
  asset!: string;

  @Column('numeric')
  usd!: string;

  @Column('text', { array: true })
  sources!: string[];

  @Column('timestamptz')
  observedAt!: Date;

  /** Of the last event; an observation that says nothing new makes none. */
  @Column('integer')
  version!: number;

  @Column('timestamptz')
  publishedAt!: Date;
}
