import type { FiatAsset, TokenAsset } from '@bascule/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Projection of the catalogue. */
@Entity('assets')
@Index('assets_listed_chain_idx', ['chain'], { where: 'listed' })
export class AssetEntity {
  /** Lower-case fiat code or token identifier. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'bigint' })
  version!: string;

  /** Null for fiat. */
  @Column({ type: 'text', nullable: true })
  chain!: string | null;

  @Column({ type: 'smallint' })
  decimals!: number;

  @Column({ type: 'jsonb' })
  asset!: FiatAsset | TokenAsset;

  @Column({ type: 'boolean' })
  listed!: boolean;

  /** When a fact last confirmed it. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  seenAt!: Date;
}
