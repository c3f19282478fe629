import { TOPICS } from '@bascule/contracts';
import type { AssetState, CatalogueEvent } from '@bascule/contracts';
import { ProjectionPattern, upsertProjection } from '@bascule/messaging';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';

@Controller()
export class CatalogueConsumer {
  constructor(private readonly dataSource: DataSource) {}

  @ProjectionPattern(TOPICS.catalogue, { tables: ['assets'] })
  async on(@Payload() event: CatalogueEvent): Promise<void> {
    if (event.type === 'chain.listed') return;
    await this.onAsset(event.data);
  }

  private async onAsset({ id, asset, listed, version }: AssetState): Promise<void> {
    // Only tokens can lie in a wallet.
    if (!('is_native' in asset)) return;
    await upsertProjection(this.dataSource.manager, {
      table: 'assets',
      key: { id: id.toLowerCase() },
      version,
      columns: { chain: asset.chain, symbol: asset.symbol, decimals: asset.decimals, listed },
    });
  }
}
