import { Chains } from '@bascule/chain';
import { TOPICS } from '@bascule/contracts';
import type { AssetState, Chain, ChainState, FiatAsset, TokenAsset } from '@bascule/contracts';
import { Outbox } from '@bascule/messaging';
import { ServiceContext } from '@bascule/process';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { listedFiats, listedTokens } from '../assets/listed-assets.js';
import { toPublicChain } from '../chains/listed-chains.js';
import { ListingRepository } from '../persistence/listing.repository.js';
import { listingChanges, type Entry } from './listing-changes.js';

/** Brings the schema, and with it everybody's projections, in line with what this version and its configuration list. */
@Injectable()
export class ListingService implements OnApplicationBootstrap {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: ListingRepository,
    private readonly outbox: Outbox,
    private readonly chains: Chains,
    private readonly context: ServiceContext,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const changes = await this.dataSource.transaction(async (manager) => {
      await this.repository.lock(manager);
      return (await this.listChains(manager)) + (await this.listAssets(manager));
    });
    this.context.logger.info({ changes }, 'catalogue listed');
  }

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

  private async listAssets(manager: EntityManager): Promise<number> {
    const tokens = this.chains.all().flatMap(({ definition }) => listedTokens(definition));
    const wanted = [...listedFiats(), ...tokens].map(({ id, asset }) => ({ id, value: asset }));
    const changes = listingChanges(await this.repository.assets(manager), wanted);
    for (const change of changes) {
      await this.repository.saveAsset(manager, change);
      await this.publishAsset(manager, change);
    }
    return changes.length;
  }

  private async publishChain(manager: EntityManager, entry: Entry<Chain>): Promise<void> {
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
    { id, value, listed, version }: Entry<FiatAsset | TokenAsset>,
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
