import type { Observation, PricedAssets, PriceSource } from '../prices/price-source.js';

const NOTHING: Observation = { quotes: [], troubles: [] };

/** A source that is asked one question at a time, and each answer of which is used once: a slow one holds nobody up. */
export class SourceWatch {
  private running: Promise<void> | undefined;
  private answer: Observation = NOTHING;

  constructor(readonly source: PriceSource) {}

  /** A question is still open. */
  get isAsked(): boolean {
    return this.running !== undefined;
  }

  /** Resolves with the answer to this question, or to the one that is still open. */
  ask(now: Date, assets: PricedAssets): Promise<void> {
    this.running ??= this.source
      .observe(now, assets)
      .then(
        (answer) => {
          this.answer = answer;
        },
        (error: unknown) => {
          this.answer = { quotes: [], troubles: [error] };
        },
      )
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }

  take(): Observation {
    const { answer } = this;
    this.answer = NOTHING;
    return answer;
  }
}
