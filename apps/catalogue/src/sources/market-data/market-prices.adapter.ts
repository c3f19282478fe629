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
  /** Interval of calls for the same assets; longer where the monthly calls would not last. */
  intervalMs: number;
  callsPerMonth: number;
  /** Maximum age of a price. */
  maxAgeMs: number;
  /** Wait of an observation for a refresh; afterwards it uses the cached prices. */
  maxWaitMs: number;
  /** Pause after a failure. */
  retryMs: number;
}

const BATCH = 50;

/** Prices of a market-data API: cached in memory and refreshed in batches when due. */
export class MarketPricesAdapter implements PriceSource {
  readonly name = 'market';
  /** Quotes by group and key. */
  private readonly quotes = new Map<string, MarketQuote>();
  /** Time of the next refresh, by group and key; missing entries are due. */
  private readonly dueAt = new Map<string, number>();
  /** Time of the next attempt after a failure, by group. */
  private readonly retryAt = new Map<string, number>();
  /** Groups whose batches the API refuses. */
  private readonly singleKeyGroups = new Set<string>();
  private refreshing: Promise<void> | undefined;
  private errors: unknown[] = [];

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
    await settlesWithin(this.policy.maxWaitMs, this.refresh(groups));
    const { errors } = this;
    this.errors = [];
    return { quotes: groups.flatMap((group) => this.freshQuotes(group, now)), errors };
  }

  private freshQuotes(group: MarketGroup, now: Date): SourceQuote[] {
    return [...group.assets].flatMap(([key, assets]) => {
      const quote = this.quotes.get(keyIn(group, key));
      const isFresh = quote && now.getTime() - quote.asOf.getTime() <= this.policy.maxAgeMs;
      return isFresh
        ? assets.map((asset) => ({ asset, source: this.name, ...quote, confirmedAt: quote.asOf }))
        : [];
    });
  }

  /** Refreshes due prices; concurrent callers join the refresh in flight. */
  private refresh(groups: readonly MarketGroup[]): Promise<void> {
    this.refreshing ??= this.refreshDue(groups).finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async refreshDue(groups: readonly MarketGroup[]): Promise<void> {
    const intervalMs = this.intervalMs(groups);
    if (intervalMs > this.policy.maxAgeMs && groups.some((group) => this.isDue(group))) {
      this.errors.push(new Error('monthly calls cannot keep market data fresh'));
    }
    for (const group of groups) {
      if (Date.now() < (this.retryAt.get(nameOf(group)) ?? 0)) continue;
      try {
        await this.refreshGroup(group, intervalMs);
      } catch (error) {
        this.errors.push(error);
        this.retryAt.set(nameOf(group), Date.now() + jittered(this.policy.retryMs, Math.random()));
        // The other groups would fail likewise.
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
    return this.singleKeyGroups.has(nameOf(group)) ? 1 : BATCH;
  }

  private async refreshGroup(group: MarketGroup, intervalMs: number): Promise<void> {
    const keys = [...group.assets.keys()];
    const due = keys.filter((key) => this.isDueIn(group, key));
    if (due.length === 0) return;
    // A batch includes keys that are not due yet; from then on they are due together.
    const size = this.batchOf(group);
    for (const batch of inBatches(size === 1 ? due : keys, size)) {
      const answer = await this.request(group, batch);
      if (!answer && batch.length > 1) {
        this.singleKeyGroups.add(nameOf(group));
        return this.refreshGroup(group, intervalMs);
      }
      if (answer) this.store(group, batch, answer);
      else
        this.errors.push(new Error(`request for ${batch.join()} of ${nameOf(group)} was refused`));
      const next = Date.now() + jittered(intervalMs, Math.random());
      for (const key of batch) this.dueAt.set(keyIn(group, key), next);
    }
  }

  private request({ platform }: MarketGroup, keys: string[]): Promise<MarketQuotes | null> {
    return platform === undefined
      ? this.api.coinPrices(keys)
      : this.api.tokenPrices(platform, keys);
  }

  /** Stores the requested quotes and drops missing ones; ignores keys that were not requested. */
  private store(
    group: MarketGroup,
    keys: readonly string[],
    { quotes, malformed }: MarketQuotes,
  ): void {
    for (const key of keys) {
      const quote = quotes.get(key);
      if (quote) this.quotes.set(keyIn(group, key), quote);
      else this.quotes.delete(keyIn(group, key));
    }
    if (malformed.length > 0) {
      this.errors.push(new Error(`malformed market data of ${malformed.join()}`));
    }
  }
}

const nameOf = ({ platform }: MarketGroup): string => platform ?? 'native coins';
const keyIn = (group: MarketGroup, key: string): string => `${nameOf(group)}/${key}`;
