import type { SwitchesState } from '@bascule/contracts';
import type { OnrampQuote } from '@bascule/providers';
import type { BridgeQuote, ExactOutputQuote, NodeQuotes, VenueQuote } from '@bascule/venues';

/** Caches answers for one request: equal questions are asked once, also while in flight, and after a failure. */
export class RequestCache<T> {
  private readonly answers = new Map<string, Promise<T>>();

  get(question: readonly (string | bigint)[], ask: () => Promise<T>): Promise<T> {
    const key = question.join();
    const answer = this.answers.get(key) ?? ask();
    this.answers.set(key, answer);
    return answer;
  }
}

/** Caches of the answers of sources, which all routes of a request share. */
export const sourceCaches = () => ({
  onramps: new RequestCache<OnrampQuote>(),
  conversions: new RequestCache<VenueQuote | null>(),
  exactOutputs: new RequestCache<ExactOutputQuote | null>(),
  /** Answers of all nodes, asked where the first one would refuse. */
  conversionsOfNodes: new RequestCache<NodeQuotes<VenueQuote>>(),
  exactOutputsOfNodes: new RequestCache<NodeQuotes<ExactOutputQuote>>(),
  bridges: new RequestCache<BridgeQuote>(),
  /** Read once, since half of a route cannot be quoted with a venue that is paused for its other half. */
  switches: new RequestCache<SwitchesState>(),
});

export type SourceCaches = ReturnType<typeof sourceCaches>;
