import { Lease } from '@bascule/persistence';
import { settlesWithin, RepeatedTrouble, ServiceContext } from '@bascule/process';
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
import { RecentVoters } from './recent-voters.js';
import { SourceWatch } from './source-watch.js';

const JOB = 'observe-prices';
/** A replica that stops without releasing the lease delays the next observation by this many intervals. */
const LEASE_INTERVALS = 3;
/** How long a slow source is waited for; its answer then counts with the next observation. */
const PATIENCE_MS = 2_000;

/** Observes all sources at a steady pace, and at once when there are other assets; one replica at a time does it. */
@Injectable()
export class PriceObserverService implements OnApplicationBootstrap {
  private readonly lease: Lease;
  private readonly watches: readonly SourceWatch[];
  private readonly troubles: ReadonlyMap<string, RepeatedTrouble>;
  private readonly dispute: RepeatedTrouble;
  private readonly voters: RecentVoters;
  private running: Promise<void> | undefined;
  private isAwaited = false;
  private isStopped = false;

  constructor(
    dataSource: DataSource,
    private readonly scheduler: SchedulerRegistry,
    private readonly recorder: PriceRecorderService,
    private readonly memory: PriceCacheService,
    private readonly listing: ListingSnapshotService,
    private readonly context: ServiceContext,
    private readonly metrics: CatalogueMetricsService,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
    @Inject(PRICE_SOURCES) sources: readonly PriceSource[],
  ) {
    this.watches = sources.map((source) => new SourceWatch(source));
    this.troubles = new Map(
      sources.map(({ name }) => [
        name,
        new RepeatedTrouble(context.logger, `the price source ${name} has trouble`),
      ]),
    );
    // Shorter than a price is fresh: when a source goes away the others' prices go on without a gap.
    this.voters = new RecentVoters(config.prices.maxAgeMs / 2);
    this.dispute = new RepeatedTrouble(context.logger, 'price sources contradict each other');
    this.lease = new Lease({
      dataSource,
      name: JOB,
      holder: context.instanceId,
      ttlMs: LEASE_INTERVALS * Math.max(config.prices.observeEveryMs, PATIENCE_MS),
    });
  }

  onApplicationBootstrap(): void {
    const { ecb, fiatRates } = this.config.prices;
    if (!ecb && fiatRates.size === 1) {
      this.context.logger.warn('no source of exchange rates: nothing is priced but in US dollars');
    }
    const timer = setInterval(() => this.tick(), this.config.prices.observeEveryMs);
    this.scheduler.addInterval(JOB, timer);
    this.listing.onChange(() => this.wake());
    this.context.shutdown.add('intake', JOB, () => this.stop());
    this.tick();
  }

  /** Assets that were not there before need not wait for the next observation. */
  private wake(): void {
    if (this.running) this.isAwaited = true;
    else this.tick();
  }

  /** A tick that finds the last one still running is left out. */
  private tick(): void {
    if (this.isStopped) return;
    this.running ??= this.observe()
      .catch((error: unknown) => {
        this.context.logger.error({ err: error }, 'observing prices failed');
      })
      .finally(() => {
        this.running = undefined;
        if (!this.isAwaited) return;
        this.isAwaited = false;
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
    // Who has not answered the last question yet is not waited for again.
    const prompt = this.watches.filter((watch) => !watch.isAsked);
    const questions = prompt.map((watch) => watch.ask(now, assets));
    await settlesWithin(PATIENCE_MS, Promise.all(questions));
    const answers = this.watches.map((watch) => this.take(watch));
    const { prices, disputed } = this.combine(answers.flatMap(({ quotes }) => quotes));
    const priced = new Set(prices.map(({ asset }) => asset));
    const retracted = answers.flatMap((answer) => answer.retracted ?? []);
    await this.recorder.record(prices);
    await this.recorder.withdraw([...disputed, ...retracted.filter((asset) => !priced.has(asset))]);
    await this.memory.refresh();
  }

  /** A source that fails has no prices; the others' are recorded all the same. */
  private take(watch: SourceWatch): Observation {
    const { name } = watch.source;
    const answer = watch.take();
    const { troubles } = answer;
    if (troubles.length > 0) {
      this.metrics.sourceFailures.inc({ source: name }, troubles.length);
      const reason = troubles.map(messageOf).join('; ');
      this.troubles.get(name)?.report(reason, { err: troubles[0] });
    }
    return answer;
  }

  private combine(quotes: readonly SourceQuote[]): { prices: ObservedPrice[]; disputed: string[] } {
    const { toleranceBps } = this.config.prices;
    const nowMs = Date.now();
    for (const quote of quotes) this.voters.heard(quote, nowMs);
    const disputed: string[] = [];
    const byAsset = Map.groupBy(quotes, ({ asset }) => asset);
    const prices = [...byAsset].flatMap(([asset, said]) => {
      const { usd, used, refused } = combinedPrice(said, {
        toleranceBps,
        voters: this.voters.of(asset, nowMs),
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
