import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AssetChanges } from '../assets/asset-override.js';

/** What the operator says of an asset. Rows stay, so that their versions only grow. */
@Entity('asset_overrides')
export class AssetOverrideEntity {
  /** Lower-case fiat code or token identifier. */
  @PrimaryColumn('text')
  id!: string;

  @Column('boolean')
  hidden!: boolean;

  @Column('jsonb')
  changes!: AssetChanges;

  @Column('integer')
  version!: number;

  /** The version that the listing follows already. */
  @Column('integer')
  appliedVersion!: number;
}
