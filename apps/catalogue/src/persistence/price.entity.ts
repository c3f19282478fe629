import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Quote of one source. */
export interface StoredQuote {
  source: string;
  usd: string;
  /** Time of the quote by the source's own clock; ISO 8601. */
  as_of: string;
}

/** The newest observed price of an asset, in US dollars per unit. */
@Entity('prices')
export class PriceEntity {
  @PrimaryColumn('text')
  asset!: string;

  @Column('numeric')
  usd!: string;

  @Column('text', { array: true })
  sources!: string[];

  /** Quotes that the price was combined from; empty when it is withdrawn. */
  @Column('jsonb', { default: [] })
  quotes!: StoredQuote[];

  @Column('timestamptz')
  observedAt!: Date;

  /** Version of the last event; an unchanged price causes none. */
  @Column('integer')
  version!: number;

  @Column('timestamptz')
  publishedAt!: Date;
}
