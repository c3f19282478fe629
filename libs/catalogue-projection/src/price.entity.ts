import type { AssetIdentifier } from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Column types that the services' first migrations chose differently. */
export interface PriceColumns {
  version: 'integer' | 'bigint';
  usd: 'numeric' | 'text';
}

/** Entity of a service's `prices` table: the newest price of each asset that the catalogue published. */
export function priceEntity(columns: PriceColumns) {
  @Entity('prices')
  class PriceEntity {
    @PrimaryColumn('text')
    asset!: AssetIdentifier;

    @Column(columns.version)
    version!: string | number;

    /** US dollars for one whole unit. */
    @Column(columns.usd)
    usd!: string;

    @Column('timestamptz')
    observedAt!: Date;

    /** Last time an event confirmed the row. */
    @Column('timestamptz', { default: () => 'now()' })
    seenAt!: Date;
  }
  return PriceEntity;
}
