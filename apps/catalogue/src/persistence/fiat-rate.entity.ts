import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The last exchange rates that were read, for when their source is away. */
@Entity('fiat_rates')
export class FiatRateEntity {
  /** Lower-case code. */
  @PrimaryColumn('text')
  currency!: string;

  /** US dollars per unit. */
  @Column('numeric')
  usd!: string;

  /** When the source published it. */
  @Column('timestamptz')
  asOf!: Date;
}
