import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The newest price that the catalogue published, in US dollars per unit. */
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

  /** When a fact last confirmed it. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
