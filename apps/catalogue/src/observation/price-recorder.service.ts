import { formatDecimal, type Decimal } from '@bascule/amounts';
import { TOPICS, type PriceState } from '@bascule/contracts';
import { Outbox, type NewEvent } from '@bascule/messaging';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../config/catalogue.config.js';
import type { StoredQuote } from '../persistence/price.entity.js';
import { PriceRepository, type RecordedPrice } from '../persistence/price.repository.js';
import type { SourceQuote } from '../prices/price-source.js';
import { isWorthPublishing } from './is-worth-publishing.js';

/** US dollar price of one unit of an asset with its quotes. */
export interface ObservedPrice {
  asset: string;
  usd: Decimal;
  quotes: readonly SourceQuote[];
}

/** Older than the maximum age of any price. */
const WITHDRAWN_MS = 7 * 86_400_000;

/** Stores the newest prices and publishes changes. */
@Injectable()
export class PriceRecorderService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly prices: PriceRepository,
    private readonly outbox: Outbox,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
  ) {}

  async record(observed: readonly ObservedPrice[]): Promise<void> {
    if (observed.length === 0) return;
    await this.dataSource.transaction(async (manager) => {
      const now = await this.prices.now(manager);
      const known = await this.prices.locked(
        manager,
        observed.map(({ asset }) => asset),
      );
      const recorded = observed.map((price) => this.recorded(price, known.get(price.asset), now));
      const isPublished = ({ asset, version }: RecordedPrice) =>
        version !== known.get(asset)?.version;
      await this.prices.save(manager, recorded);
      await this.outbox.append(manager, ...recorded.filter(isPublished).map(priceEvent));
    });
  }

  /**
   * Withdraws disputed and retracted prices: each becomes an old price without quotes, which projections treat as stale.
   */
  async withdraw(assets: readonly string[]): Promise<void> {
    if (assets.length === 0) return;
    await this.dataSource.transaction(async (manager) => {
      const now = (await this.prices.now(manager)).getTime();
      const known = await this.prices.locked(manager, assets);
      const observedAt = new Date(now - WITHDRAWN_MS);
      const withdrawn = [...known.values()]
        .filter(({ quotes }) => quotes.length > 0)
        // Old enough that the next observation is published in any case.
        .map((price) => ({
          ...price,
          quotes: [],
          observedAt,
          publishedAt: observedAt,
          version: price.version + 1,
        }));
      await this.prices.save(manager, withdrawn);
      await this.outbox.append(manager, ...withdrawn.map(priceEvent));
    });
  }

  private recorded(
    { asset, usd, quotes }: ObservedPrice,
    known: RecordedPrice | undefined,
    now: Date,
  ): RecordedPrice {
    const publishes = isWorthPublishing(known, usd, now, this.config.prices.republishAfterMs);
    return {
      asset,
      usd,
      sources: quotes.map(({ source }) => source),
      quotes: quotes.map(stored),
      observedAt: now,
      version: (known?.version ?? 0) + (publishes ? 1 : 0),
      publishedAt: publishes || !known ? now : known.publishedAt,
    };
  }
}

function priceEvent({ asset, usd, sources, observedAt, version }: RecordedPrice): NewEvent {
  const data: PriceState = {
    version,
    asset,
    usd: formatDecimal(usd),
    observed_at: observedAt.toISOString(),
    sources,
  };
  return { topic: TOPICS.price, type: 'price.observed', key: asset, data };
}

const stored = ({ source, usd, asOf }: SourceQuote): StoredQuote => ({
  source,
  usd: formatDecimal(usd),
  as_of: asOf.toISOString(),
});
