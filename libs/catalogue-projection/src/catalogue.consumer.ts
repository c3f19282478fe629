import { type AssetState, type CatalogueEvent, isHandledBy, TOPICS } from '@bascule/contracts';
import { ProjectionPattern, upsertProjection } from '@bascule/messaging';
import { Controller, type Type } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';

export interface AssetProjection {
  service: 'payment' | 'quote' | 'withdrawal';
  table: string;
  /** Columns beside `id`, `version` and `listed`; null for an asset that the service does not keep. */
  columnsOf: (asset: AssetState['asset']) => Record<string, unknown> | null;
}

const isAsset = (state: object): boolean => 'asset' in state && 'listed' in state;

/** Builds the controller that keeps a service's table of assets. */
export function catalogueConsumer({ service, table, columnsOf }: AssetProjection): Type {
  @Controller()
  class CatalogueConsumer {
    constructor(private readonly dataSource: DataSource) {}

    @ProjectionPattern(TOPICS.catalogue, { tables: [table] })
    async on(@Payload() event: CatalogueEvent): Promise<void> {
      if (isHandledBy(service, event)) await this.save(event.data);
    }

    private async save(state: AssetState): Promise<void> {
      // An event of a type that only newer versions know may be about something else, as `chain.listed` is.
      if (!isAsset(state)) return;
      const { id, asset, listed, version } = state;
      const columns = columnsOf(asset);
      if (columns === null) return;
      await upsertProjection(this.dataSource.manager, {
        table,
        key: { id: id.toLowerCase() },
        version,
        columns: { ...columns, listed },
      });
    }
  }
  return CatalogueConsumer;
}
