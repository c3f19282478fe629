import { ServiceContext, withTimeout } from '@bascule/process';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RememberedAnswers, type Answers, type Speaking } from '../remembered-answers.js';
import { QuoteMetricsService } from '../../metrics/quote-metrics.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../../config/quote-config.js';
import type { BridgeLane } from '../../routes/route.js';
import { unavailableBridge } from './bridge-failure.js';
import { lanesOf } from './bridge-lanes.js';
import { BRIDGES, type Bridges } from './bridges.js';

/** What each bridge carries. */
@Injectable()
export class BridgeCoverageService implements OnApplicationBootstrap {
  private readonly remembered: RememberedAnswers<readonly BridgeLane[]>;

  constructor(
    @Inject(BRIDGES) private readonly bridges: Bridges,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
    private readonly context: ServiceContext,
    private readonly metrics: QuoteMetricsService,
  ) {
    this.remembered = new RememberedAnswers({
      ask: (name) => this.ask(name),
      toFailure: unavailableBridge,
      lifeMs: config.coverageTtlMs,
    });
  }

  onApplicationBootstrap(): void {
    for (const bridge of this.bridges.keys()) {
      this.remembered.ask(bridge).catch((error: unknown) => {
        this.context.logger.warn({ err: error, bridge }, 'coverage unknown');
      });
    }
  }

  /** All that is known, by bridge; where a route may cross chains, after those whose answers are too old have been asked again. */
  current(mayCross: boolean): Promise<Answers<readonly BridgeLane[]>> {
    return this.remembered.current(mayCross ? [...this.bridges.keys()] : []);
  }

  /** Of those that answer, waiting only for bridges that answered when last asked. */
  atHand(): Promise<Speaking<readonly BridgeLane[]>> {
    return this.remembered.atHand([...this.bridges.keys()]);
  }

  private async ask(name: string): Promise<readonly BridgeLane[]> {
    const bridge = this.bridges.get(name);
    if (!bridge) throw new Error(`the bridge ${name} is not configured`);
    const routes = await this.metrics.timed(name, 'coverage', () =>
      withTimeout(this.config.providerTimeoutMs, (signal) => bridge.routes({ signal })),
    );
    return lanesOf(name, routes);
  }
}
