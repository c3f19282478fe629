import { Lease } from '@bascule/persistence';
import { settlesWithin, RepeatedWarning, ServiceContext } from '@bascule/process';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { CatalogueMetricsService } from './catalogue-metrics.service.js';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../config/catalogue.config.js';
import { ListingSnapshotService } from '../listing/listing-snapshot.service.js';
import { combinedPrice } from '../prices/combined-price.js';
import { PriceCacheService } from './price-cache.service.js';
import {
  PRICE_SOURCES,
  type Observation,
  type PriceSource,
  type SourceQuote,
} from '../prices/price-source.js';
import { PriceRecorderService, type ObservedPrice } from './price-recorder.service.js';
import { RecentSources } from './recent-sources.js';
import { SingleFlightSource } from './single-flight-source.js';

const JOB = 'observe-prices';
/** Lease duration in intervals: the delay after a replica crashes. */
const LEASE_INTERVALS = 3;
/** Wait for a slow source; a later response counts in the next observation. */
const SOURCE_WAIT_MS = 2_000;

/** Observes all sources at an interval and after listing changes, on one replica at a time. */
@Injectable()
export class PriceObserverService implements OnApplicationBootstrap {
  private readonly lease: Lease;
  private readonly watches: readonly SingleFlightSource[];
  private readonly sourceTroubles: ReadonlyMap<string, RepeatedWarning>;
  private readonly dispute: RepeatedWarning;
  private readonly recentSources: RecentSources;
  private running: Promise<void> | undefined;
  private isRequested = false;
  private isStopped = false;

  constructor(
    dataSource: DataSource,
    private readonly scheduler: SchedulerRegistry,
    private readonly recorder: PriceRecorderService,
    private readonly cache: PriceCacheService,
    private readonly listing: ListingSnapshotService,
    private readonly context: ServiceContext,
    private readonly metrics: CatalogueMetricsService,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
    @Inject(PRICE_SOURCES) sources: readonly PriceSource[],
  ) {
    this.watches = sources.map((source) => new SingleFlightSource(source));
    this.sourceTroubles = new Map(
      sources.map(({ name }) => [
        name,
        new RepeatedWarning(context.logger, `price source ${name} failed`),
      ]),
    );
    // Shorter than the maximum age of a price: no gap when a source becomes unavailable.
    this.recentSources = new RecentSources(config.prices.maxAgeMs / 2);
    this.dispute = new RepeatedWarning(context.logger, 'price sources disagree');
    this.lease = new Lease({
      dataSource,
      name: JOB,
      holder: context.instanceId,
      ttlMs: LEASE_INTERVALS * Math.max(config.prices.observeEveryMs, SOURCE_WAIT_MS),
    });
  }

  onApplicationBootstrap(): void {
    const { ecb, fiatRates } = this.config.prices;
    if (!ecb && fiatRates.size === 1) {
      this.context.logger.warn(
        'no source of exchange rates configured: prices are in US dollars only',
      );
    }
    const timer = setInterval(() => this.tick(), this.config.prices.observeEveryMs);
    this.scheduler.addInterval(JOB, timer);
    this.listing.onChange(() => this.wake());
    this.context.shutdown.add('intake', JOB, () => this.stop());
    this.tick();
  }

  /** Observes added assets without waiting for the interval. */
  private wake(): void {
    if (this.running) this.isRequested = true;
    else this.tick();
  }

  /** Skips a tick while the last one is running. */
  private tick(): void {
    if (this.isStopped) return;
    this.running ??= this.observe()
      .catch((error: unknown) => {
        this.context.logger.error({ err: error }, 'price observation failed');
      })
      .finally(() => {
        this.running = undefined;
        if (!this.isRequested) return;
        this.isRequested = false;
        this.tick();
      });
  }

  private async observe(): Promise<void> {
    if (!(await this.lease.acquire())) return;
    const now = new Date();
    const assets = {
      fiats: this.listing.fiats().map(({ id }) => id),
      tokens: this.listing.tokens(),
    };
    // A source that is still answering is not waited for again.
    const idle = this.watches.filter((watch) => !watch.isObserving);
    const observations = idle.map((watch) => watch.observe(now, assets));
    await settlesWithin(SOURCE_WAIT_MS, Promise.all(observations));
    const observed = this.watches.map((watch) => this.take(watch));
    const { prices, disputed } = this.combine(observed.flatMap(({ quotes }) => quotes));
    const priced = new Set(prices.map(({ asset }) => asset));
    const retracted = observed.flatMap((observation) => observation.retracted ?? []);
    await this.recorder.record(prices);
    await this.recorder.withdraw([...disputed, ...retracted.filter((asset) => !priced.has(asset))]);
    await this.cache.refresh();
  }

  /** Takes a source's observation and reports its errors. */
  private take(watch: SingleFlightSource): Observation {
    const { name } = watch.source;
    const answer = watch.take();
    const { errors } = answer;
    if (errors.length > 0) {
      this.metrics.sourceFailures.inc({ source: name }, errors.length);
      const reason = errors.map(messageOf).join('; ');
      this.sourceTroubles.get(name)?.report(reason, { err: errors[0] });
    }
    return answer;
  }

  private combine(quotes: readonly SourceQuote[]): { prices: ObservedPrice[]; disputed: string[] } {
    const { toleranceBps } = this.config.prices;
    const nowMs = Date.now();
    for (const quote of quotes) this.recentSources.add(quote, nowMs);
    const disputed: string[] = [];
    const byAsset = Map.groupBy(quotes, ({ asset }) => asset);
    const prices = [...byAsset].flatMap(([asset, ofAsset]) => {
      const { usd, used, refused } = combinedPrice(ofAsset, {
        toleranceBps,
        voters: this.recentSources.count(asset, nowMs),
      });
      for (const { source } of refused) this.metrics.refusedQuotes.inc({ source });
      if (usd) return [{ asset, usd, quotes: used }];
      if (refused.length > 0) disputed.push(asset);
      return [];
    });
    if (disputed.length > 0) {
      this.metrics.disputedPrices.inc(disputed.length);
      this.dispute.report(disputed.sort().join());
    }
    return { prices, disputed };
  }

  private async stop(): Promise<void> {
    this.isStopped = true;
    if (this.scheduler.doesExist('interval', JOB)) this.scheduler.deleteInterval(JOB);
    await this.running;
    await this.lease.release();
  }
}

const messageOf = (trouble: unknown): string =>
  trouble instanceof Error ? trouble.message : String(trouble);
