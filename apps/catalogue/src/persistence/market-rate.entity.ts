import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Last exchange rate of each currency from the market-data API, kept for outages. */
@Entity('market_rates')
export class MarketRateEntity {
  /** Lower-case code. */
  @PrimaryColumn('text')
  currency!: string;

  /** US dollars per unit. */
  @Column('numeric')
  usd!: string;

  /** Time of the read. */
  @Column('timestamptz')
  asOf!: Date;
}
