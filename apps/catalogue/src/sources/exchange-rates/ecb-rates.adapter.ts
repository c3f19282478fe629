import type { FiatRateRepository } from '../../persistence/fiat-rate.repository.js';
import { jittered } from '../../prices/paced-interval.js';
import { UnreadableAnswerError } from '../../upstream/unreadable-answer.js';
import type { UpstreamClient } from '../../upstream/upstream.client.js';
import { parseEcbDocument } from './ecb-document.adapter.js';
import { implausibleRates, usdRates, type DatedRates } from '../../prices/ecb-rates.js';

export interface EcbPolicy {
  intervalMs: number;
  /** Older rates are not used; a weekend, or Easter, is no reason to have none. */
  maxAgeMs: number;
  /** When what failed is tried again. */
  retryMs: number;
}

/** The European Central Bank's reference rates: read now and then, the last ones kept in the database. */
export class EcbRatesAdapter {
  private last: DatedRates | null = null;
  private doubted: DatedRates | null = null;
  private isLoaded = false;
  private dueAt = 0;

  constructor(
    private readonly upstream: UpstreamClient,
    private readonly repository: FiatRateRepository,
    private readonly policy: EcbPolicy,
  ) {}

  get isCircuitOpen(): boolean {
    return this.upstream.isCircuitOpen;
  }

  async read(now: Date): Promise<{ rates: DatedRates | null; troubles: unknown[] }> {
    const troubles: unknown[] = [];
    try {
      await this.refresh(now);
    } catch (error) {
      troubles.push(error);
    }
    const { last } = this;
    const isFresh = last && now.getTime() - last.asOf.getTime() <= this.policy.maxAgeMs;
    return { rates: isFresh ? last : null, troubles };
  }

  private async refresh(now: Date): Promise<void> {
    if (!this.isLoaded) {
      this.last = await this.repository.latest();
      this.isLoaded = true;
    }
    if (now.getTime() < this.dueAt) return;
    this.dueAt = now.getTime() + jittered(this.policy.retryMs, Math.random());
    const rates = await this.upstream.get('', ({ status, text }) => {
      if (status !== 200) throw new UnreadableAnswerError(`status ${status}`);
      return usdRates(parseEcbDocument(text), now);
    });
    // A cache on the way may answer with an older day than we have seen.
    if (!this.last || rates.asOf >= this.last.asOf) await this.accept(rates, this.last);
    this.dueAt = now.getTime() + jittered(this.policy.intervalMs, Math.random());
  }

  /** A rate that jumps is believed when another day's document has it, too; until then the operator may say it. */
  private async accept(rates: DatedRates, last: DatedRates | null): Promise<void> {
    const jumped = last ? implausibleRates(rates, last) : [];
    const { doubted } = this;
    const isSeenAgain =
      doubted && rates.asOf > doubted.asOf && implausibleRates(rates, doubted).length === 0;
    if (jumped.length > 0 && !isSeenAgain) {
      if (!doubted || rates.asOf > doubted.asOf) this.doubted = rates;
      throw new UnreadableAnswerError(`implausible exchange rates of ${jumped.join()}`);
    }
    await this.repository.replace(rates);
    this.last = rates;
    this.doubted = null;
  }
}
