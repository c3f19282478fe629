import type { AmountLimits, QuoteFailure, SourceLimits } from '@bascule/contracts';
import type { QuotedRoute } from '../routes/quoted-route.js';
import type { Route } from '../routes/route.js';

/** Limits that a bridge stated with its quotes and refusals, in the asset of the request. */
function statedLimits(
  bridge: string,
  quoted: readonly QuotedRoute[],
  failures: readonly QuoteFailure[],
): AmountLimits[] {
  const ofQuotes = quoted
    .flatMap(({ legs }) => legs.map((leg) => leg.bridge))
    .flatMap((each) => (each?.name === bridge ? [each.limits] : []));
  const ofRefusals = failures
    .flatMap(({ issues }) => issues)
    .flatMap((issue) => ('limits' in issue && issue.source === bridge ? [issue.limits] : []));
  return [...ofQuotes, ...ofRefusals].filter(
    ({ min, max }) => min !== undefined || max !== undefined,
  );
}

/** Distinct limits of the onramps and bridges of the tried routes; without `min` and `max` where unknown. */
export function sourceLimits(o: {
  routes: readonly Route[];
  quoted: readonly QuotedRoute[];
  failures: readonly QuoteFailure[];
}): SourceLimits[] {
  const ofRamps = o.routes.flatMap(({ ramp }) =>
    ramp ? [{ source: ramp.provider, ...ramp.limits }] : [],
  );
  const bridges = o.routes.flatMap(({ legs }) => legs.flatMap(({ lane }) => lane?.bridge ?? []));
  const ofBridges = [...new Set(bridges)].flatMap((source): SourceLimits[] => {
    const stated = statedLimits(source, o.quoted, o.failures);
    return stated.length > 0 ? stated.map((limits) => ({ source, ...limits })) : [{ source }];
  });
  const distinct = new Map(
    [...ofRamps, ...ofBridges].map((each) => [`${each.source}/${each.min}/${each.max}`, each]),
  );
  return [...distinct.values()];
}
