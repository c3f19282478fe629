import { settlesWithin } from '@bascule/process';
import type {
  Observation,
  PricedAssets,
  PriceSource,
  SourceQuote,
} from '../../prices/price-source.js';
import type { CoinGeckoClient } from './coin-gecko.client.js';
import { inBatches, marketGroups, type MarketGroup, type MarketNames } from './market-groups.js';
import type { MarketQuote, MarketQuotes } from './market-quotes.js';
import { jittered, pacedIntervalMs } from '../../prices/paced-interval.js';

export interface MarketPolicy {
  /** Wanted between two calls for the same assets; longer where the month's calls would not last. */
  intervalMs: number;
  callsPerMonth: number;
  /** Older prices are not used. */
  maxAgeMs: number;
  /** How long an observation waits for news; then it goes on with what is known, and the news are for the next one. */
  patienceMs: number;
  /** When what failed is tried again. */
  retryMs: number;
}

const BATCH = 50;

/** Prices of a market-data API: kept in memory, asked for again when they are due, many in one call. */
export class MarketPricesAdapter implements PriceSource {
  readonly name = 'market';
  /** By group and key. */
  private readonly known = new Map<string, MarketQuote>();
  /** By group and key: when it is asked for again; one that never was is due. */
  private readonly dueAt = new Map<string, number>();
  /** By group: when it is tried again after a failure. */
  private readonly retryAt = new Map<string, number>();
  /** Groups that the API refuses to answer many questions of at once. */
  private readonly single = new Set<string>();
  private refreshing: Promise<void> | undefined;
  private troubles: unknown[] = [];

  constructor(
    private readonly api: CoinGeckoClient,
    private readonly namesOf: (chain: string) => MarketNames,
    private readonly policy: MarketPolicy,
  ) {}

  get isCircuitOpen(): boolean {
    return this.api.isCircuitOpen;
  }

  async observe(now: Date, { tokens }: PricedAssets): Promise<Observation> {
    const groups = marketGroups(tokens, this.namesOf);
    await settlesWithin(this.policy.patienceMs, this.refresh(groups));
    const { troubles } = this;
    this.troubles = [];
    return { quotes: groups.flatMap((group) => this.freshQuotes(group, now)), troubles };
  }

  private freshQuotes(group: MarketGroup, now: Date): SourceQuote[] {
    return [...group.assets].flatMap(([key, assets]) => {
      const quote = this.known.get(keyIn(group, key));
      const isFresh = quote && now.getTime() - quote.asOf.getTime() <= this.policy.maxAgeMs;
      return isFresh
        ? assets.map((asset) => ({ asset, source: this.name, ...quote, saidAt: quote.asOf }))
        : [];
    });
  }

  /** Whoever asks while others are being answered waits for the same answers. */
  private refresh(groups: readonly MarketGroup[]): Promise<void> {
    this.refreshing ??= this.refreshDue(groups).finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async refreshDue(groups: readonly MarketGroup[]): Promise<void> {
    const intervalMs = this.intervalMs(groups);
    if (intervalMs > this.policy.maxAgeMs && groups.some((group) => this.isDue(group))) {
      this.troubles.push(new Error('the calls of a month do not keep market data fresh enough'));
    }
    for (const group of groups) {
      if (Date.now() < (this.retryAt.get(nameOf(group)) ?? 0)) continue;
      try {
        await this.ask(group, intervalMs);
      } catch (error) {
        this.troubles.push(error);
        this.retryAt.set(nameOf(group), Date.now() + jittered(this.policy.retryMs, Math.random()));
        // Whoever does not answer one question need not be asked the next.
        return;
      }
    }
  }

  private intervalMs(groups: readonly MarketGroup[]): number {
    const { intervalMs, callsPerMonth } = this.policy;
    const callsPerRound = groups.reduce(
      (sum, group) => sum + Math.ceil(group.assets.size / this.batchOf(group)),
      0,
    );
    return pacedIntervalMs({ wantedMs: intervalMs, callsPerRound, callsPerMonth });
  }

  private isDue(group: MarketGroup): boolean {
    return [...group.assets.keys()].some((key) => this.isDueIn(group, key));
  }

  private isDueIn(group: MarketGroup, key: string): boolean {
    return Date.now() >= (this.dueAt.get(keyIn(group, key)) ?? 0);
  }

  private batchOf(group: MarketGroup): number {
    return this.single.has(nameOf(group)) ? 1 : BATCH;
  }

  private async ask(group: MarketGroup, intervalMs: number): Promise<void> {
    const keys = [...group.assets.keys()];
    const due = keys.filter((key) => this.isDueIn(group, key));
    if (due.length === 0) return;
    // A call for many has room for those that are not due yet; from then on they are due together.
    const size = this.batchOf(group);
    for (const batch of inBatches(size === 1 ? due : keys, size)) {
      const answer = await this.answerOf(group, batch);
      if (!answer && batch.length > 1) {
        this.single.add(nameOf(group));
        return this.ask(group, intervalMs);
      }
      if (answer) this.keep(group, batch, answer);
      else this.troubles.push(new Error(`${nameOf(group)} refuses ${batch.join()}`));
      const next = Date.now() + jittered(intervalMs, Math.random());
      for (const key of batch) this.dueAt.set(keyIn(group, key), next);
    }
  }

  private answerOf({ platform }: MarketGroup, keys: string[]): Promise<MarketQuotes | null> {
    return platform === undefined
      ? this.api.coinPrices(keys)
      : this.api.tokenPrices(platform, keys);
  }

  /** What was asked for and is not there any more has no price any more; what was not asked for is not believed. */
  private keep(
    group: MarketGroup,
    keys: readonly string[],
    { quotes, nonsense }: MarketQuotes,
  ): void {
    for (const key of keys) {
      const quote = quotes.get(key);
      if (quote) this.known.set(keyIn(group, key), quote);
      else this.known.delete(keyIn(group, key));
    }
    if (nonsense.length > 0) {
      this.troubles.push(new Error(`market data make no sense for ${nonsense.join()}`));
    }
  }
}

const nameOf = ({ platform }: MarketGroup): string => platform ?? 'native coins';
const keyIn = (group: MarketGroup, key: string): string => `${nameOf(group)}/${key}`;
