import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What one source said of a price. */
export interface StoredQuote {
  source: string;
  usd: string;
  /** When it was true, by the source's own account; ISO 8601. */
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

  /** What it was made of; nothing when it has been withdrawn. */
  @Column('jsonb', { default: [] })
  quotes!: StoredQuote[];

  @Column('timestamptz')
  observedAt!: Date;

  /** Of the last event; an observation that says nothing new makes none. */
  @Column('integer')
  version!: number;

  @Column('timestamptz')
  publishedAt!: Date;
}
