import type { Chain, FiatAsset, TokenAsset } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { ListingEntry } from '../assets/listing-changes.js';
import { AssetEntity } from './asset.entity.js';
import { ChainEntity } from './chain.entity.js';

type Asset = FiatAsset | TokenAsset;

/** Sum of versions: rows are never deleted and versions only grow, so every change alters it. */
const REVISION = `
  SELECT concat_ws('.',
    (SELECT coalesce(sum(version), 0) FROM chains),
    (SELECT coalesce(sum(version), 0) FROM assets),
    (SELECT coalesce(sum(applied_version), 0) FROM asset_overrides)) AS revision`;

@Injectable()
export class ListingRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Serialises the listing of replicas that start together. */
  async lock(manager: EntityManager): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtext('catalogue'), hashtext('listing'))`);
  }

  /** Reads the revision of the whole listing. */
  async revision(manager = this.dataSource.manager): Promise<string> {
    const [row]: { revision: string }[] = await manager.query(REVISION);
    if (!row) throw new Error('expected a row with the revision of the listing');
    return row.revision;
  }

  async assets(manager = this.dataSource.manager): Promise<ListingEntry<Asset>[]> {
    const rows = await manager.find(AssetEntity, { order: { id: 'ASC' } });
    return rows.map(({ asset, ...entry }) => ({ ...entry, value: asset }));
  }

  async chains(manager = this.dataSource.manager): Promise<ListingEntry<Chain>[]> {
    const rows = await manager.find(ChainEntity, { order: { name: 'ASC' } });
    return rows.map(({ name, chain, ...entry }) => ({ ...entry, id: name, value: chain }));
  }

  async saveAsset(manager: EntityManager, { id, value, listed, version }: ListingEntry<Asset>) {
    await manager.upsert(AssetEntity, { id, asset: value, listed, version }, ['id']);
  }

  async saveChain(manager: EntityManager, { id, value, listed, version }: ListingEntry<Chain>) {
    await manager.upsert(ChainEntity, { name: id, chain: value, listed, version }, ['name']);
  }
}
