import type { AssetIdentifier } from '@bascule/contracts';
import { Column, PrimaryColumn } from 'typeorm';

/** Columns of an asset's projection that every service has; each service adds those it reads. */
export abstract class ProjectedAsset {
  /** Lower-case fiat code or token identifier. */
  @PrimaryColumn('text')
  id!: AssetIdentifier;

  @Column('boolean')
  listed!: boolean;

  /** Last time an event confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
