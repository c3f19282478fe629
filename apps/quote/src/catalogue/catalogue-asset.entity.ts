import type { FiatAsset, TokenAsset } from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The catalogue's asset, as its topic told. */
@Entity('catalogue_assets')
export class CatalogueAssetEntity {
  /** Lower-case fiat code or token identifier. */
  @PrimaryColumn('text')
  id!: string;

  @Column('jsonb')
  asset!: FiatAsset | TokenAsset;

  @Column('boolean')
  listed!: boolean;

  @Column('integer')
  version!: number;

  /** When a fact last confirmed it. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
