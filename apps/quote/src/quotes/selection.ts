import type { PaymentMethod } from '@bascule/contracts';
import { waitOf } from '../pricing/latency.js';
import { outputOf, type QuotedRoute } from '../routes/quoted-route.js';
import { rampKey, type Route } from '../routes/route.js';

/** A response has at most this many quotes, so that its state token stays small. */
const MAX_QUOTES = 20;

export interface RampFilter {
  onramps?: readonly string[];
  onramp_methods?: readonly PaymentMethod[];
}

const allows = (wanted: readonly string[] | undefined, value: string): boolean =>
  !wanted || wanted.length === 0 || wanted.includes(value);

/** An empty filter restricts nothing; routes that start with tokens need no provider. */
export const filterRoutes = (routes: readonly Route[], filter: RampFilter): Route[] =>
  routes.filter(
    ({ ramp }) =>
      !ramp ||
      (allows(filter.onramps, ramp.provider) && allows(filter.onramp_methods, ramp.method)),
  );

/** The best route of each provider and method, highest output first. */
export function bestQuotes<T extends QuotedRoute>(quoted: readonly T[]): T[] {
  const best = new Map<string, T>();
  const sorted = [...quoted].sort(
    (a, b) => compare(outputOf(b).units, outputOf(a).units) || waitOf(a) - waitOf(b),
  );
  for (const route of sorted) {
    const key = rampKey(route.onramp);
    if (!best.has(key)) best.set(key, route);
  }
  return [...best.values()].slice(0, MAX_QUOTES);
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
