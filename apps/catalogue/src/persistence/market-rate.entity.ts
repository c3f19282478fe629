import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last exchange rate of each currency that the market-data API had, for when it is away. */
@Entity('market_rates')
export class MarketRateEntity {
  /** Lower-case code. */
  @PrimaryColumn('text')
  currency!: string;

  /** US dollars per unit. */
  @Column('numeric')
  usd!: string;

  /** When it was read. */
  @Column('timestamptz')
  asOf!: Date;
}
