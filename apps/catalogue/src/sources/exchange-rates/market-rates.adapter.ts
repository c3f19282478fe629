import { settlesWithin } from '@bascule/process';
import type { MarketRateRepository } from '../../persistence/market-rate.repository.js';
import type { CoinGeckoClient } from '../market-data/coin-gecko.client.js';
import { jittered } from '../../prices/paced-interval.js';
import { acceptedRates, type DatedRate, type DatedRateTable } from '../../prices/accepted-rates.js';

export interface MarketRatesPolicy {
  intervalMs: number;
  /** Older rates are not used. */
  maxAgeMs: number;
  /** How long an observation waits for news; then it goes on with what is known. */
  patienceMs: number;
  /** When what failed is tried again, at first; longer each time, since failures cost calls, too. */
  retryMs: number;
}

/** Exchange rates of the market-data API: of many currencies that a central bank has none of, kept as its are. */
export class MarketRatesAdapter {
  private known = new Map<string, DatedRate>();
  private doubted: DatedRateTable = new Map();
  private isLoaded = false;
  private dueAt = 0;
  private failures = 0;
  private refreshing: Promise<void> | undefined;
  private troubles: unknown[] = [];

  constructor(
    private readonly api: CoinGeckoClient,
    private readonly repository: MarketRateRepository,
    private readonly policy: MarketRatesPolicy,
  ) {}

  async read(now: Date): Promise<{ rates: DatedRateTable; troubles: unknown[] }> {
    this.refreshing ??= this.refresh(now).finally(() => {
      this.refreshing = undefined;
    });
    await settlesWithin(this.policy.patienceMs, this.refreshing);
    const { troubles } = this;
    this.troubles = [];
    const fresh = [...this.known].filter(
      ([, { asOf }]) => now.getTime() - asOf.getTime() <= this.policy.maxAgeMs,
    );
    return { rates: new Map(fresh), troubles };
  }

  private async refresh(now: Date): Promise<void> {
    try {
      if (!this.isLoaded) await this.load();
      if (now.getTime() >= this.dueAt) await this.ask(now);
    } catch (error) {
      this.troubles.push(error);
    }
  }

  /** What was read a moment ago, by another replica or before a restart, need not be read again. */
  private async load(): Promise<void> {
    this.known = await this.repository.all();
    const times = [...this.known.values()].map(({ asOf }) => asOf.getTime());
    if (times.length > 0) this.dueAt = Math.max(...times) + this.policy.intervalMs;
    this.isLoaded = true;
  }

  private async ask(now: Date): Promise<void> {
    const { intervalMs, retryMs } = this.policy;
    const waitMs = Math.min(retryMs * 2 ** this.failures, intervalMs);
    this.failures += 1;
    this.dueAt = now.getTime() + jittered(waitMs, Math.random());
    const answer = await this.api.exchangeRates();
    if (!answer) throw new Error('the market-data API has no exchange rates');
    const { believed, doubted } = acceptedRates(answer.usd, {
      last: this.known,
      doubted: this.doubted,
      now,
    });
    await this.repository.save(believed);
    for (const [code, rate] of believed) this.known.set(code, rate);
    this.doubted = doubted;
    this.failures = 0;
    this.dueAt = now.getTime() + jittered(intervalMs, Math.random());
    this.say('make no sense', answer.nonsense);
    this.say('jumped', [...doubted.keys()]);
  }

  private say(what: string, currencies: readonly string[]): void {
    if (currencies.length === 0) return;
    this.troubles.push(new Error(`exchange rates of market data ${what}: ${currencies.join()}`));
  }
}
