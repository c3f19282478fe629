import { RepeatedWarning, ServiceContext } from '@bascule/process';
import { RatingsCache } from '@bascule/venues';
import type { ShortfallOf, VenueRating } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import type { Measurement } from './shortfall.js';
import { VenueRatingsRepository } from './venue-ratings.repository.js';
import type { NewSums } from './venue-ratings.repository.js';

/** Rates venues by what their conversions paid. Measurements are summed in memory, since every leg would lock the same row. */
@Injectable()
export class VenueRatingsService implements OnApplicationBootstrap {
  private readonly cache: RatingsCache;
  private readonly trouble: RepeatedWarning;
  private readonly flushMs: number;
  private sums = new Map<string, NewSums>();
  private flushing: Promise<void> = Promise.resolve();

  constructor(
    private readonly repository: VenueRatingsRepository,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) { timing }: PaymentConfig,
  ) {
    this.cache = new RatingsCache(() => repository.all(), context);
    this.trouble = new RepeatedWarning(context.logger, 'measured conversions were lost');
    this.flushMs = timing.ratingsFlushMs;
    this.exposeMetrics();
  }

  onApplicationBootstrap(): void {
    const timer = setInterval(() => void this.flush(), this.flushMs);
    // After the workers have stopped, which measure until then.
    this.context.shutdown.add('relay', 'ratings of venues', () => {
      clearInterval(timer);
      return this.flush();
    });
  }

  /** Shortfalls of a chain's venues by the ratings of all processes. */
  shortfallsOn(chain: string): Promise<ShortfallOf> {
    return this.cache.shortfallsOn(chain);
  }

  /** Counts a conversion; call it once, after the commit of its outcome. Null measures nothing. */
  measure(measurement: Measurement | null): void {
    if (measurement === null) return;
    const { chain, venue, ppm } = measurement;
    const key = `${chain} ${venue}`;
    const before = this.sums.get(key) ?? { chain, venue, conversions: 0, shortfallSumPpm: 0n };
    this.sums.set(key, {
      ...before,
      conversions: before.conversions + 1,
      shortfallSumPpm: before.shortfallSumPpm + ppm,
    });
  }

  /** Stores what was measured. Sums that could not be stored are dropped: a commit may have succeeded unseen. */
  flush(): Promise<void> {
    this.flushing = this.flushing.then(() => this.store());
    return this.flushing;
  }

  private async store(): Promise<void> {
    const measured = [...this.sums.values()];
    if (measured.length === 0) return;
    this.sums = new Map();
    try {
      await this.repository.add(measured);
      this.trouble.clear();
    } catch (err) {
      this.trouble.report('the database did not store them', { err });
    }
  }

  private exposeMetrics(): void {
    const { repository, cache } = this;
    new Gauge({
      name: 'venue_shortfall_ppm',
      help: 'Millionths by which the conversions of a venue fell short of its quotes, as they count now.',
      labelNames: ['chain', 'venue'],
      registers: [this.context.metrics],
      async collect() {
        // The scrape still succeeds, with the ratings that were read last.
        const ratings: VenueRating[] | null = await repository.all().catch(() => null);
        if (ratings === null) return;
        for (const { chain, venue } of ratings) {
          const shortfallOf = await cache.shortfallsOn(chain);
          this.set({ chain, venue }, Number(shortfallOf(venue)));
        }
      },
    });
  }
}
