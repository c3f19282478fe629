import type { SwitchesState } from '@bascule/contracts';
import type { OnrampQuote } from '@bascule/providers';
import type { BridgeQuote, ExactOutputQuote, NodeQuotes, VenueQuote } from '@bascule/venues';
import { PartyBudget } from './party-budget.js';

/**
 * Requests to an aggregator that one request for quotes may cause. The search for a fixed output through two conversions
 * makes as many.
 */
export const MAX_REQUESTS_PER_AGGREGATOR = 24;

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
  /** Quotes of all venues by one node. */
  conversions: new RequestCache<VenueQuote[]>(),
  exactOutputs: new RequestCache<ExactOutputQuote[]>(),
  /** Answers of all nodes, asked where the first one would refuse. */
  conversionsOfNodes: new RequestCache<NodeQuotes<VenueQuote>>(),
  exactOutputsOfNodes: new RequestCache<NodeQuotes<ExactOutputQuote>>(),
  /** Requests to aggregators that are left. */
  budget: new PartyBudget(MAX_REQUESTS_PER_AGGREGATOR),
  bridges: new RequestCache<BridgeQuote>(),
  /** Read once, since half of a route cannot be quoted with a venue that is paused for its other half. */
  switches: new RequestCache<SwitchesState>(),
});

export type SourceCaches = ReturnType<typeof sourceCaches>;
