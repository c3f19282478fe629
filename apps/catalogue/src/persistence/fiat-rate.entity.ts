import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Last exchange rates of the central bank, kept for outages. */
@Entity('fiat_rates')
export class FiatRateEntity {
  /** Lower-case code. */
  @PrimaryColumn('text')
  currency!: string;

  /** US dollars per unit. */
  @Column('numeric')
  usd!: string;

  /** Time of publication by the source. */
  @Column('timestamptz')
  asOf!: Date;
}
