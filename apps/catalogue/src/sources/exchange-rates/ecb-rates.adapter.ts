import type { FiatRateRepository } from '../../persistence/fiat-rate.repository.js';
import { jittered } from '../../prices/paced-interval.js';
import { UnreadableResponseError } from '../../upstream/unreadable-response-error.js';
import type { UpstreamClient } from '../../upstream/upstream.client.js';
import { parseEcbDocument } from './ecb-document.adapter.js';
import { implausibleRates, usdRates, type DatedRates } from '../../prices/ecb-rates.js';

export interface EcbPolicy {
  intervalMs: number;
  /** Maximum age; longer than a weekend or Easter. */
  maxAgeMs: number;
  /** Pause after a failure. */
  retryMs: number;
}

/** Reference rates of the European Central Bank: read at an interval, the last ones kept in the database. */
export class EcbRatesAdapter {
  private last: DatedRates | null = null;
  private suspect: DatedRates | null = null;
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

  async read(now: Date): Promise<{ rates: DatedRates | null; errors: unknown[] }> {
    const errors: unknown[] = [];
    try {
      await this.refresh(now);
    } catch (error) {
      errors.push(error);
    }
    const { last } = this;
    const isFresh = last && now.getTime() - last.asOf.getTime() <= this.policy.maxAgeMs;
    return { rates: isFresh ? last : null, errors };
  }

  private async refresh(now: Date): Promise<void> {
    if (!this.isLoaded) {
      this.last = await this.repository.latest();
      this.isLoaded = true;
    }
    if (now.getTime() < this.dueAt) return;
    this.dueAt = now.getTime() + jittered(this.policy.retryMs, Math.random());
    const rates = await this.upstream.get('', ({ status, text }) => {
      if (status !== 200) throw new UnreadableResponseError(`status ${status}`);
      return usdRates(parseEcbDocument(text), now);
    });
    // A cache in between may return the document of an older day.
    if (!this.last || rates.asOf >= this.last.asOf) await this.accept(rates, this.last);
    this.dueAt = now.getTime() + jittered(this.policy.intervalMs, Math.random());
  }

  /** Accepts a rate that jumps only when the document of another day repeats it. */
  private async accept(rates: DatedRates, last: DatedRates | null): Promise<void> {
    const jumped = last ? implausibleRates(rates, last) : [];
    const { suspect } = this;
    const isSeenAgain =
      suspect && rates.asOf > suspect.asOf && implausibleRates(rates, suspect).length === 0;
    if (jumped.length > 0 && !isSeenAgain) {
      if (!suspect || rates.asOf > suspect.asOf) this.suspect = rates;
      throw new UnreadableResponseError(`implausible exchange rates of ${jumped.join()}`);
    }
    await this.repository.replace(rates);
    this.last = rates;
    this.suspect = null;
  }
}
