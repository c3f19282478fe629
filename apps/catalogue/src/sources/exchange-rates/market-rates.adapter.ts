import { settlesWithin } from '@bascule/process';
import type { MarketRateRepository } from '../../persistence/market-rate.repository.js';
import type { CoinGeckoClient } from '../market-data/coin-gecko.client.js';
import { jittered } from '../../prices/paced-interval.js';
import { acceptedRates, type DatedRate, type DatedRateTable } from '../../prices/accepted-rates.js';

export interface MarketRatesPolicy {
  intervalMs: number;
  /** Maximum age of a rate. */
  maxAgeMs: number;
  /** Wait of an observation for a refresh; afterwards it uses the cached rates. */
  maxWaitMs: number;
  /** First pause after a failure; doubles each time, since failures use up calls. */
  retryMs: number;
}

/** Exchange rates of the market-data API, for currencies without a central bank rate; kept in the database. */
export class MarketRatesAdapter {
  private known = new Map<string, DatedRate>();
  private suspect: DatedRateTable = new Map();
  private isLoaded = false;
  private dueAt = 0;
  private failures = 0;
  private refreshing: Promise<void> | undefined;
  private errors: unknown[] = [];

  constructor(
    private readonly api: CoinGeckoClient,
    private readonly repository: MarketRateRepository,
    private readonly policy: MarketRatesPolicy,
  ) {}

  async read(now: Date): Promise<{ rates: DatedRateTable; errors: unknown[] }> {
    this.refreshing ??= this.refresh(now).finally(() => {
      this.refreshing = undefined;
    });
    await settlesWithin(this.policy.maxWaitMs, this.refreshing);
    const { errors } = this;
    this.errors = [];
    const fresh = [...this.known].filter(
      ([, { asOf }]) => now.getTime() - asOf.getTime() <= this.policy.maxAgeMs,
    );
    return { rates: new Map(fresh), errors };
  }

  private async refresh(now: Date): Promise<void> {
    try {
      if (!this.isLoaded) await this.load();
      if (now.getTime() >= this.dueAt) await this.fetchRates(now);
    } catch (error) {
      this.errors.push(error);
    }
  }

  /** Loads stored rates, so that a restart or failover repeats no recent call. */
  private async load(): Promise<void> {
    this.known = await this.repository.all();
    const times = [...this.known.values()].map(({ asOf }) => asOf.getTime());
    if (times.length > 0) this.dueAt = Math.max(...times) + this.policy.intervalMs;
    this.isLoaded = true;
  }

  private async fetchRates(now: Date): Promise<void> {
    const { intervalMs, retryMs } = this.policy;
    const waitMs = Math.min(retryMs * 2 ** this.failures, intervalMs);
    this.failures += 1;
    this.dueAt = now.getTime() + jittered(waitMs, Math.random());
    const answer = await this.api.exchangeRates();
    if (!answer) throw new Error('market-data API returned no exchange rates');
    const { accepted, suspect } = acceptedRates(answer.usd, {
      last: this.known,
      suspect: this.suspect,
      now,
    });
    await this.repository.save(accepted);
    for (const [code, rate] of accepted) this.known.set(code, rate);
    this.suspect = suspect;
    this.failures = 0;
    this.dueAt = now.getTime() + jittered(intervalMs, Math.random());
    this.reportCurrencies('are malformed', answer.malformed);
    this.reportCurrencies('jumped', [...suspect.keys()]);
  }

  private reportCurrencies(what: string, currencies: readonly string[]): void {
    if (currencies.length === 0) return;
    this.errors.push(new Error(`market-data exchange rates ${what}: ${currencies.join()}`));
  }
}
