import { Chains } from '@bascule/chain';
import { TOPICS } from '@bascule/contracts';
import type { AssetState, Chain, ChainState, FiatAsset, TokenAsset } from '@bascule/contracts';
import { Outbox } from '@bascule/messaging';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { withOverrides, withWrappedPairs } from '../assets/asset-override.js';
import { listedFiats, listedTokens, type ListedAsset } from '../assets/listed-assets.js';
import { toPublicChain } from '../assets/listed-chains.js';
import { AssetOverrideRepository } from '../persistence/asset-override.repository.js';
import { ListingRepository } from '../persistence/listing.repository.js';
import { listingChanges, type ListingEntry } from '../assets/listing-changes.js';
import type { ListingState } from './listing-snapshot.service.js';

/**
 * Writes and publishes the listing of this version, its configuration and the operator's overrides.
 */
@Injectable()
export class ListingService {
  /** Built-in lists, before overrides. */
  private readonly base: readonly ListedAsset[];
  private readonly pairs: ReadonlyMap<string, string>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: ListingRepository,
    private readonly overrides: AssetOverrideRepository,
    private readonly outbox: Outbox,
    private readonly chains: Chains,
    private readonly context: ServiceContext,
  ) {
    const tokens = chains.all().flatMap(({ definition }) => listedTokens(definition));
    this.base = [...listedFiats(), ...tokens];
    this.pairs = new Map(
      this.base.flatMap(({ id, pair }) => (pair === undefined ? [] : [[id, pair]])),
    );
  }

  async list(): Promise<void> {
    const changes = await this.dataSource.transaction(async (manager) => {
      await this.repository.lock(manager);
      const overrides = await this.overrides.all(manager);
      const assets = withOverrides(this.base, overrides, this.isConfigured);
      await this.overrides.markApplied(manager, overrides);
      return (
        (await this.listChains(manager)) +
        (await this.listAssets(manager, await this.repository.assets(manager), assets))
      );
    });
    this.context.logger.info({ changes }, 'catalogue listed');
  }

  /**
   * Applies pending overrides. Touches only their assets and those that show them: two replicas of different versions
   * would otherwise undo each other's listings in a loop.
   */
  async applyOverrides(): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.repository.lock(manager);
      const pending = await this.overrides.pending(manager);
      if (pending.length === 0) return;
      const ids = withWrappedPairs(new Set(pending.map(({ id }) => id)), this.base);
      const isTouched = ({ id }: { id: string }) => ids.has(id);
      const stored = await this.repository.assets(manager);
      const overrides = (await this.overrides.all(manager)).filter(isTouched);
      const wanted = withOverrides(this.base.filter(isTouched), overrides, this.isConfigured);
      await this.listAssets(manager, stored.filter(isTouched), wanted);
      await this.overrides.markApplied(manager, pending);
      this.context.logger.info({ assets: [...ids] }, 'asset overrides applied');
    });
  }

  /** Reads the current listing, whichever replica wrote it. */
  read(): Promise<ListingState> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const revision = await this.repository.revision(manager);
      const chains = await this.repository.chains(manager);
      const assets = await this.repository.assets(manager);
      const pairOf = new Map(
        (await this.overrides.all(manager)).map(({ id, changes }) => [id, changes.pair]),
      );
      return {
        revision,
        chains: chains
          .filter(({ listed }) => listed)
          .map(({ id, value }) => ({ id, chain: value })),
        assets: assets
          .filter(({ listed }) => listed)
          .map(({ id, value }) => {
            const pair = pairOf.get(id) ?? this.pairs.get(id);
            return { id, asset: value, ...(pair === undefined ? {} : { pair }) };
          }),
      };
    });
  }

  private readonly isConfigured = (name: string): boolean => this.chains.find(name) !== undefined;

  private async listChains(manager: EntityManager): Promise<number> {
    const wanted = this.chains
      .all()
      .map(({ name, definition }) => ({ id: name, value: toPublicChain(definition) }));
    const changes = listingChanges(await this.repository.chains(manager), wanted);
    for (const change of changes) {
      await this.repository.saveChain(manager, change);
      if (change.listed) await this.publishChain(manager, change);
    }
    return changes.length;
  }

  private async listAssets(
    manager: EntityManager,
    stored: readonly ListingEntry<FiatAsset | TokenAsset>[],
    wanted: readonly ListedAsset[],
  ): Promise<number> {
    const changes = listingChanges(
      stored,
      wanted.map(({ id, asset }) => ({ id, value: asset })),
    );
    for (const change of changes) {
      await this.repository.saveAsset(manager, change);
      await this.publishAsset(manager, change);
    }
    return changes.length;
  }

  private async publishChain(manager: EntityManager, entry: ListingEntry<Chain>): Promise<void> {
    const data: ChainState = { version: entry.version, name: entry.id, chain: entry.value };
    await this.outbox.append(manager, {
      topic: TOPICS.catalogue,
      type: 'chain.listed',
      key: entry.id,
      data,
    });
  }

  private async publishAsset(
    manager: EntityManager,
    { id, value, listed, version }: ListingEntry<FiatAsset | TokenAsset>,
  ): Promise<void> {
    const data: AssetState = { version, id, asset: value, listed };
    await this.outbox.append(manager, {
      topic: TOPICS.catalogue,
      type: listed ? 'asset.listed' : 'asset.delisted',
      key: id,
      data,
    });
  }
}
