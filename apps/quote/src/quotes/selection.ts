import type { PaymentMethod, QuoteRequest } from '@bascule/contracts';
import { externalLatency, outputOf, type QuotedRoute } from '../routes/quoted-route.js';
import { rampKey, type Route } from '../routes/route.js';

/** Maximum number of quotes in a response; keeps its state token small. */
const MAX_QUOTES = 20;

export interface RampFilter {
  onramps?: readonly string[];
  onramp_methods?: readonly PaymentMethod[];
}

const allows = (wanted: readonly string[] | undefined, value: string): boolean =>
  !wanted || wanted.length === 0 || wanted.includes(value);

/** Keeps routes of the wanted providers and methods. An empty filter, or a route from deposited tokens, passes. */
export const filterRoutes = (routes: readonly Route[], filter: RampFilter): Route[] =>
  routes.filter(
    ({ ramp }) =>
      !ramp ||
      (allows(filter.onramps, ramp.provider) && allows(filter.onramp_methods, ramp.method)),
  );

/**
 * Selects the best route of each provider and method: the one with the highest output where the input is fixed, with the
 * lowest input where the output is. Sorts by output, highest first.
 */
export function bestQuotes<T extends QuotedRoute>(
  quoted: readonly T[],
  kind: QuoteRequest['request']['kind'],
): T[] {
  const best = new Map<string, T>();
  const byOutput = (a: T, b: T) => compare(outputOf(b).units, outputOf(a).units);
  const byInput = (a: T, b: T) => compare(a.input.units, b.input.units);
  const byLatency = (a: T, b: T) => externalLatency(a) - externalLatency(b);
  const byAmount = kind === 'FIXED_INPUT' ? byOutput : byInput;
  for (const route of [...quoted].sort((a, b) => byAmount(a, b) || byLatency(a, b))) {
    const key = rampKey(route.onramp);
    if (!best.has(key)) best.set(key, route);
  }
  return [...best.values()]
    .slice(0, MAX_QUOTES)
    .sort((a, b) => byOutput(a, b) || byInput(a, b) || byLatency(a, b));
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
