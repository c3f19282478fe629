import type { Observation, PricedAssets, PriceSource } from '../prices/price-source.js';

const NOTHING: Observation = { quotes: [], errors: [] };

/** Wraps a source: one observation in flight at a time, each result used once, so a slow source delays no other. */
export class SingleFlightSource {
  private running: Promise<void> | undefined;
  private observation: Observation = NOTHING;

  constructor(readonly source: PriceSource) {}

  /** An observation is in flight. */
  get isObserving(): boolean {
    return this.running !== undefined;
  }

  /** Starts an observation, or joins the one in flight. */
  observe(now: Date, assets: PricedAssets): Promise<void> {
    this.running ??= this.source
      .observe(now, assets)
      .then(
        (answer) => {
          this.observation = answer;
        },
        (error: unknown) => {
          this.observation = { quotes: [], errors: [error] };
        },
      )
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }

  take(): Observation {
    const { observation: answer } = this;
    this.observation = NOTHING;
    return answer;
  }
}
