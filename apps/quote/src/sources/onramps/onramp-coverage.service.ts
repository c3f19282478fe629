import { ServiceContext, withTimeout } from '@bascule/process';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RememberedAnswers, type Answers, type Speaking } from '../remembered-answers.js';
import { QuoteMetricsService } from '../../metrics/quote-metrics.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../../config/quote-config.js';
import type { Ramp } from '../../routes/route.js';
import { ONRAMP_PROVIDERS, type OnrampProviders } from './onramp-providers.js';
import { toRouteFailure } from './provider-failure.js';
import { rampsOf } from './ramps.js';

/** What each provider sells. */
@Injectable()
export class OnrampCoverageService implements OnApplicationBootstrap {
  private readonly remembered: RememberedAnswers<readonly Ramp[]>;

  constructor(
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
    private readonly context: ServiceContext,
    private readonly metrics: QuoteMetricsService,
  ) {
    this.remembered = new RememberedAnswers({
      ask: (name) => this.ask(name),
      toFailure: toRouteFailure,
      lifeMs: config.coverageTtlMs,
    });
  }

  onApplicationBootstrap(): void {
    for (const provider of this.providers.keys()) {
      this.remembered.ask(provider).catch((error: unknown) => {
        this.context.logger.warn({ err: error, provider }, 'coverage unknown');
      });
    }
  }

  /** All that is known, by provider, after those of `wanted` whose answers are too old have been asked again. */
  current(wanted: readonly string[]): Promise<Answers<readonly Ramp[]>> {
    return this.remembered.current(wanted.filter((name) => this.providers.has(name)));
  }

  /** Of those that answer, waiting only for providers that answered when last asked. */
  atHand(): Promise<Speaking<readonly Ramp[]>> {
    return this.remembered.atHand([...this.providers.keys()]);
  }

  private async ask(name: string): Promise<readonly Ramp[]> {
    const provider = this.providers.get(name);
    if (!provider) throw new Error(`the provider ${name} is not configured`);
    const coverage = await this.metrics.timed(name, 'coverage', () =>
      withTimeout(this.config.providerTimeoutMs, (signal) => provider.coverage(signal)),
    );
    return rampsOf(name, coverage);
  }
}
