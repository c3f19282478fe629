import { ProjectedAsset } from '@bascule/catalogue-projection';
import type { FiatAsset, TokenAsset } from '@bascule/contracts';
import { Column, Entity, Index } from 'typeorm';

/** Projection of the catalogue. */
@Entity('assets')
@Index('assets_listed_chain_idx', ['chain'], { where: 'listed' })
export class AssetEntity extends ProjectedAsset {
  @Column({ type: 'bigint' })
  version!: string;

  /** Null for fiat. */
  @Column({ type: 'text', nullable: true })
  chain!: string | null;

  @Column({ type: 'smallint' })
  decimals!: number;

  @Column({ type: 'jsonb' })
  asset!: FiatAsset | TokenAsset;
}
