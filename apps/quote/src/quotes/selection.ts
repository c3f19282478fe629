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
 * Selects the best route of each provider and method. Sorts by output, highest first, where the input is fixed, and by
 * input, lowest first, where the output is.
 */
export function bestQuotes<T extends QuotedRoute>(
  quoted: readonly T[],
  kind: QuoteRequest['request']['kind'],
): T[] {
  const best = new Map<string, T>();
  const byOutput = (a: T, b: T) => compare(outputOf(b).units, outputOf(a).units);
  const byInput = (a: T, b: T) => compare(a.input.units, b.input.units);
  const byAmount = kind === 'FIXED_INPUT' ? byOutput : byInput;
  const sorted = [...quoted].sort(
    (a, b) => byAmount(a, b) || externalLatency(a) - externalLatency(b),
  );
  for (const route of sorted) {
    const key = rampKey(route.onramp);
    if (!best.has(key)) best.set(key, route);
  }
  return [...best.values()].slice(0, MAX_QUOTES);
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
