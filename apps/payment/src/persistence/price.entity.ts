import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Projection of the catalogue's prices. */
@Entity('prices')
export class PriceEntity {
  @PrimaryColumn({ type: 'text' })
  asset!: string;

  /** Counts observations, so it outgrows an integer. */
  @Column({ type: 'bigint' })
  version!: string;

  /** Price of one whole unit. */
  @Column({ type: 'numeric' })
  usd!: string;

  @Column({ type: 'timestamptz' })
  observedAt!: Date;

  /** When a fact last confirmed it. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  seenAt!: Date;
}
