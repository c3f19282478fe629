import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AssetChanges } from '../assets/asset-override.js';

/** An operator's override of an asset. Rows are never deleted, so versions only grow. */
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

  /** Version that the listing has applied. */
  @Column('integer')
  appliedVersion!: number;
}
