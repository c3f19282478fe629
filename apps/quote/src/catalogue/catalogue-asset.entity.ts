import type { FiatAsset, TokenAsset } from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Asset as published on the catalogue's topic. */
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

  /** Time of the last event about the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
