import type { Decimal } from '@bascule/amounts';
import { RepeatedWarning, ServiceContext } from '@bascule/process';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../config/catalogue.config.js';
import { PriceRepository, type KnownPrice } from '../persistence/price.repository.js';
import { jittered } from '../prices/paced-interval.js';

const RELOAD_MS = 1_000;

/** In-memory copy of the newest prices, reloaded from the database every second. */
@Injectable()
export class PriceCacheService implements OnApplicationBootstrap {
  private prices: ReadonlyMap<string, KnownPrice> = new Map();
  private loadedAt = performance.now();
  private loading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly trouble: RepeatedWarning;

  constructor(
    private readonly repository: PriceRepository,
    private readonly context: ServiceContext,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
  ) {
    this.trouble = new RepeatedWarning(context.logger, 'price reload failed');
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.reload();
    this.context.shutdown.add('intake', 'reload-prices', async () => {
      clearTimeout(this.timer);
      this.timer = undefined;
      await this.loading;
    });
    this.scheduleNext();
  }

  /** US dollars per unit; undefined without a fresh price. */
  fresh(asset: string): Decimal | undefined {
    const price = this.prices.get(asset);
    return price && this.ageMs(price) <= this.config.prices.maxAgeMs ? price.usd : undefined;
  }

  /** Whether the asset has or had a price. */
  hasSeen(asset: string): boolean {
    return this.prices.has(asset);
  }

  /** All prices that are not withdrawn, stale ones included. */
  all(): { price: KnownPrice; ageMs: number }[] {
    return [...this.prices.values()]
      .filter((price) => !isWithdrawn(price))
      .map((price) => ({ price, ageMs: this.ageMs(price) }));
  }

  /** Assets whose last price was withdrawn. */
  withdrawn(): string[] {
    return [...this.prices.values()].filter(isWithdrawn).map(({ asset }) => asset);
  }

  /** Reloads the prices; concurrent callers share one query. */
  refresh(): Promise<void> {
    this.loading ??= this.load().finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  private ageMs({ ageMs }: KnownPrice): number {
    return ageMs + (performance.now() - this.loadedAt);
  }

  private async load(): Promise<void> {
    // Taken before the query, so that no price seems younger than it is.
    const askedAt = performance.now();
    const prices = await this.repository.listed();
    this.prices = new Map(prices.map((price) => [price.asset, price]));
    this.loadedAt = askedAt;
  }

  /** Keeps the cached prices, until they are stale, while the database is unavailable. */
  private async reload(): Promise<void> {
    try {
      await this.refresh();
      this.trouble.clear();
    } catch (error) {
      this.trouble.report(error instanceof Error ? error.message : String(error), { err: error });
    }
  }

  private scheduleNext(): void {
    const next = async (): Promise<void> => {
      await this.reload();
      if (this.timer) this.scheduleNext();
    };
    this.timer = setTimeout(() => void next(), jittered(RELOAD_MS, Math.random()));
  }
}

const isWithdrawn = ({ quotes }: KnownPrice): boolean => quotes.length === 0;
