import { formatAmount } from '@bascule/amounts';
import type { Quote } from '@bascule/contracts';
import { feeBreakdown } from '../fees/fee-breakdown.js';
import { expectedLatency } from '../plan/latency.js';
import type { QuotedRoute } from '../plan/quoted-route.js';
import { routeSteps } from '../plan/route-steps.js';
import type { PriceBook } from '../prices/price-book.js';

/** @throws MissingPriceError */
export function toQuote(
  quoted: QuotedRoute,
  o: {
    paymentId: string;
    prices: PriceBook;
    chain: { confirmations: number; blockTimeMs: number };
  },
): Quote {
  const { input, deposit, networkFee, output, onramp } = quoted;
  return {
    payment_id: o.paymentId,
    output_amount: { asset: output.asset, amount: formatAmount(output.units, output.decimals) },
    fees: feeBreakdown({
      input,
      output,
      network: [{ ...deposit, units: networkFee }],
      business: [],
      prices: o.prices,
    }),
    route: routeSteps(quoted),
    ...(onramp && { onramp: onramp.provider, onramp_method: onramp.method }),
    latency_seconds: expectedLatency(quoted, o.chain),
  };
}

/** Every asset that a quote speaks of. */
export const assetsOf = (quote: Quote): string[] => [
  quote.output_amount.asset,
  ...quote.route.flatMap(({ net_effect }) =>
    [...net_effect.consume, ...net_effect.produce].map(({ resource }) => resource.asset),
  ),
];
