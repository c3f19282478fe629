import { ProjectedAsset } from '@bascule/catalogue-projection';
import type { FiatAsset, TokenAsset } from '@bascule/contracts';
import { Column, Entity } from 'typeorm';

/** Newest state of an asset that the catalogue published. */
@Entity('catalogue_assets')
export class CatalogueAssetEntity extends ProjectedAsset {
  @Column('jsonb')
  asset!: FiatAsset | TokenAsset;

  @Column('integer')
  version!: number;
}
