import { formatDecimal, parseDecimal, type Decimal } from '@bascule/amounts';
import { TOPICS, type PriceState } from '@bascule/contracts';
import { Outbox } from '@bascule/messaging';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../../catalogue.config.js';
import type { PriceEntity, StoredQuote } from '../../persistence/price.entity.js';
import { PriceRepository } from '../../persistence/price.repository.js';
import type { SourceQuote } from '../price-source.js';
import { isWorthPublishing } from './publishing.js';

/** One unit of an asset in US dollars, and what that follows from. */
export interface ObservedPrice {
  asset: string;
  usd: Decimal;
  quotes: readonly SourceQuote[];
}

type PublishedPrice = Pick<PriceEntity, 'asset' | 'sources' | 'observedAt' | 'version'> & {
  usd: Decimal;
};

/** Beyond any age that a price may have. */
const WITHDRAWN_MS = 7 * 86_400_000;

/** Keeps the newest prices and publishes those that say something new. */
@Injectable()
export class PriceRecorder {
  constructor(
    private readonly dataSource: DataSource,
    private readonly prices: PriceRepository,
    private readonly outbox: Outbox,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
  ) {}

  async record(observed: readonly ObservedPrice[]): Promise<void> {
    if (observed.length === 0) return;
    const byAsset = [...observed].sort((a, b) => (a.asset < b.asset ? -1 : 1));
    await this.dataSource.transaction(async (manager) => {
      const now = await this.prices.now(manager);
      const known = await this.prices.locked(
        manager,
        byAsset.map(({ asset }) => asset),
      );
      for (const price of byAsset) {
        await this.recordOne(manager, price, known.get(price.asset), now);
      }
    });
  }

  /** What is contradicted is no price any more, nor for those who know how old a price is: it becomes one of long ago. */
  async withdraw(assets: readonly string[]): Promise<void> {
    if (assets.length === 0) return;
    await this.dataSource.transaction(async (manager) => {
      const now = await this.prices.now(manager);
      const known = await this.prices.locked(manager, assets);
      for (const price of known.values()) {
        if (now.getTime() - price.observedAt.getTime() >= WITHDRAWN_MS / 2) continue;
        const observedAt = new Date(now.getTime() - WITHDRAWN_MS);
        const version = price.version + 1;
        const usd = parseDecimal(price.usd);
        const withdrawn = { ...price, usd, observedAt, version };
        // So that what is observed next is published, whatever it is.
        await this.prices.save(manager, { ...withdrawn, publishedAt: observedAt });
        await this.publish(manager, withdrawn);
      }
    });
  }

  private async recordOne(
    manager: EntityManager,
    { asset, usd, quotes }: ObservedPrice,
    known: PriceEntity | undefined,
    now: Date,
  ): Promise<void> {
    const last = known && { usd: parseDecimal(known.usd), publishedAt: known.publishedAt };
    const publishes = isWorthPublishing(last, usd, now, this.config.prices.republishAfterMs);
    const version = (known?.version ?? 0) + (publishes ? 1 : 0);
    const publishedAt = publishes ? now : (known?.publishedAt ?? now);
    const sources = quotes.map(({ source }) => source);
    await this.prices.save(manager, {
      asset,
      usd,
      sources,
      quotes: quotes.map(stored),
      observedAt: now,
      version,
      publishedAt,
    });
    if (publishes) await this.publish(manager, { asset, usd, sources, observedAt: now, version });
  }

  private async publish(manager: EntityManager, price: PublishedPrice): Promise<void> {
    const { asset, usd, sources, observedAt, version } = price;
    const data: PriceState = {
      version,
      asset,
      usd: formatDecimal(usd),
      observed_at: observedAt.toISOString(),
      sources,
    };
    await this.outbox.append(manager, {
      topic: TOPICS.price,
      type: 'price.observed',
      key: asset,
      data,
    });
  }
}

const stored = ({ source, usd, asOf }: SourceQuote): StoredQuote => ({
  source,
  usd: formatDecimal(usd),
  as_of: asOf.toISOString(),
});
