import { compareDecimals } from '@bascule/amounts';
import type { AmountLimits, QuoteFailure, SourceLimits } from '@bascule/contracts';
import type { QuotedRoute } from '../routes/quoted-route.js';
import { rampKey, type Route } from '../routes/route.js';

/** Known limits of all ranges, or within all of them; empty where no amount is. */
function combined(ranges: readonly AmountLimits[], which: 'all' | 'common'): AmountLimits {
  const mins = ranges.flatMap(({ min }) => min ?? []).sort(compareDecimals);
  const maxes = ranges.flatMap((range) => range.max ?? []).sort(compareDecimals);
  const min = which === 'all' ? mins[0] : mins.at(-1);
  const max = which === 'all' ? maxes.at(-1) : maxes[0];
  if (min !== undefined && max !== undefined && compareDecimals(min, max) > 0) return {};
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
}

/** Limits that a bridge stated with its quotes and refusals, in the asset of the request. */
function statedLimits(
  bridge: string,
  quotes: readonly QuotedRoute[],
  failures: readonly QuoteFailure[],
): AmountLimits[] {
  const ofQuotes = quotes.map(({ legs }) => {
    const crossings = legs.flatMap((leg) => (leg.bridge?.name === bridge ? leg.bridge.limits : []));
    return combined(crossings, 'common');
  });
  const ofRefusals = failures
    .flatMap(({ issues }) => issues)
    .flatMap((issue) => ('limits' in issue && issue.source === bridge ? [issue.limits] : []));
  return [...ofQuotes, ...ofRefusals];
}

/** Bridges of the quotes, and of the tried routes whose onramp and method have no quote. */
function usedBridges(routes: readonly Route[], quotes: readonly QuotedRoute[]): Set<string> {
  const served = new Set(quotes.map(({ onramp }) => rampKey(onramp)));
  const unserved = routes.filter(({ ramp }) => !served.has(rampKey(ramp)));
  return new Set([
    ...quotes.flatMap(({ legs }) => legs.flatMap(({ bridge }) => bridge?.name ?? [])),
    ...unserved.flatMap(({ legs }) => legs.flatMap(({ lane }) => lane?.bridge ?? [])),
  ]);
}

/** Limits of each onramp of the tried routes, and of each used bridge; without `min` and `max` where unknown. */
export function sourceLimits(o: {
  routes: readonly Route[];
  /** Best route of each provider and method. */
  quotes: readonly QuotedRoute[];
  failures: readonly QuoteFailure[];
}): SourceLimits[] {
  const ramps = o.routes.flatMap(({ ramp }) => ramp ?? []);
  const providers = Map.groupBy(ramps, ({ provider }) => provider);
  const ofRamps = [...providers].map(([source, sold]) => {
    const ranges = sold.map(({ limits }) => limits);
    return { source, ...combined(ranges, 'all') };
  });
  const ofBridges = [...usedBridges(o.routes, o.quotes)].map((source) => {
    const ranges = statedLimits(source, o.quotes, o.failures);
    return { source, ...combined(ranges, 'all') };
  });
  return [...ofRamps, ...ofBridges];
}
