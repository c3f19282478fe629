import { formatAmount } from '@bascule/amounts';
import type { Quote } from '@bascule/contracts';
import { expectedLatency, type ChainTiming } from '../pricing/latency.js';
import { outputOf, type PricedRoute } from '../routes/quoted-route.js';
import { routeSteps } from '../pricing/route-steps.js';

export function toQuote(
  quoted: PricedRoute,
  o: { paymentId: string; timingOf: (chain: string) => ChainTiming },
): Quote {
  const { fees, onramp } = quoted;
  const output = outputOf(quoted);
  return {
    payment_id: o.paymentId,
    output_amount: { asset: output.asset, amount: formatAmount(output.units, output.decimals) },
    fees,
    route: routeSteps(quoted),
    ...(onramp && { onramp: onramp.provider, onramp_method: onramp.method }),
    latency_seconds: expectedLatency(quoted, o.timingOf),
  };
}

/** Every asset that a quote speaks of. */
export const assetsOf = (quote: Quote): string[] => [
  quote.output_amount.asset,
  ...quote.route.flatMap(({ net_effect }) =>
    [...net_effect.consume, ...net_effect.produce].map(({ resource }) => resource.asset),
  ),
];
