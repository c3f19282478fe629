import { ServiceContext } from '@bascule/process';
import type { OnrampProvider } from '@bascule/providers';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { QuoteMetrics } from '../quote-metrics.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../quote.config.js';
import { withDeadline } from '../quotes/deadline.js';
import type { TimedFailure } from '../quotes/route-failure.js';
import type { Ramp } from '../routing/routing-graph.js';
import { ONRAMP_PROVIDERS, type OnrampProviders } from './onramp-providers.js';
import { rampsOf } from './ramps.js';
import { toRouteFailure } from './provider-failure.js';
import { RecentFailures } from './recent-failures.js';

interface Known {
  ramps: readonly Ramp[];
  askedAt: number;
  revision: number;
}

export interface Coverage {
  ramps: readonly Ramp[];
  /** Changes when any provider has answered again. */
  revision: string;
  /** Of providers that have not said what they sell. */
  failures: readonly TimedFailure[];
}

/** An answer is used for this many times its life while the provider does not give a new one. */
const STALE_LIVES = 10;

/** What each provider sells, remembered for a while and asked again behind the requests' backs. */
@Injectable()
export class OnrampCoverageService implements OnApplicationBootstrap {
  private readonly known = new Map<string, Known>();
  private readonly asking = new Map<string, Promise<void>>();
  private readonly recentFailures = new RecentFailures();
  private answers = 0;

  constructor(
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
    private readonly context: ServiceContext,
    private readonly metrics: QuoteMetrics,
  ) {}

  onApplicationBootstrap(): void {
    for (const provider of this.providers.values()) {
      this.ask(provider).catch((error: unknown) => {
        this.context.logger.warn({ err: error, provider: provider.name }, 'coverage unknown');
      });
    }
  }

  /** All that is known, after those of `wanted` whose answers are too old have been asked again. */
  async current(wanted: readonly string[]): Promise<Coverage> {
    const asked = wanted.flatMap((name) => this.providers.get(name) ?? []);
    const failures = (await Promise.all(asked.map((each) => this.refresh(each)))).flat();
    const known = [...this.known.values()];
    return {
      ramps: known.flatMap(({ ramps }) => ramps),
      revision: known.map(({ revision }) => revision).join(),
      failures,
    };
  }

  private async refresh(provider: OnrampProvider): Promise<TimedFailure[]> {
    const known = this.known.get(provider.name);
    const age = known ? Date.now() - known.askedAt : Infinity;
    if (age <= this.config.coverageTtlMs) return [];
    const recent = this.recentFailures.of(provider.name, Date.now());
    if (age <= this.config.coverageTtlMs * STALE_LIVES) {
      // The old answer serves until there is a new one.
      if (!recent) this.ask(provider).catch(() => undefined);
      return [];
    }
    this.known.delete(provider.name);
    if (recent) return [recent];
    const began = performance.now();
    try {
      await this.ask(provider);
      return [];
    } catch (error) {
      const failure = toRouteFailure(provider.name, error);
      return [{ failure, latencyMs: performance.now() - began }];
    }
  }

  /** One question to a provider at a time, whoever waits for it. */
  private ask(provider: OnrampProvider): Promise<void> {
    const asking = this.asking.get(provider.name) ?? this.askNow(provider);
    this.asking.set(provider.name, asking);
    return asking;
  }

  private async askNow(provider: OnrampProvider): Promise<void> {
    const began = performance.now();
    try {
      const coverage = await this.metrics.timed(provider.name, 'coverage', () =>
        withDeadline(this.config.providerTimeoutMs, (signal) => provider.coverage(signal)),
      );
      this.answers += 1;
      this.known.set(provider.name, {
        ramps: rampsOf(provider.name, coverage),
        askedAt: Date.now(),
        revision: this.answers,
      });
    } catch (error) {
      const failure = toRouteFailure(provider.name, error);
      const latencyMs = performance.now() - began;
      this.recentFailures.remember(provider.name, { failure, latencyMs }, Date.now());
      throw failure;
    } finally {
      this.asking.delete(provider.name);
    }
  }
}
