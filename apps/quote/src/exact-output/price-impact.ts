import type { AmountIssue } from '@bascule/contracts';
import { feesOf, type QuotedLeg, type QuotedRoute } from '../routes/quoted-route.js';
import type { QuotingContext } from '../routes/quoting-context.js';
import { priceImpactIssue } from '../sources/price-checks.js';

type Checked = Pick<QuotingContext, 'input' | 'prices'> & { maxBps: number; allowsLoss: boolean };

function issuesOf({ input: given, venue, output, bridge, ...leg }: QuotedLeg, checked: Checked) {
  const fees = feesOf(leg);
  const converted = { ...given, units: given.units - fees };
  return [
    venue === null ? null : priceImpactIssue({ ...checked, converted, output, venue }),
    bridge &&
      priceImpactIssue({
        ...{ ...checked, converted: output, output: bridge.delivered, venue: bridge.name },
      }),
  ];
}

/**
 * Issue of the first conversion or bridge of a quoted route with a larger price impact than accepted, or null.
 * @throws MissingPriceError
 */
export const routeImpactIssue = (quoted: QuotedRoute, checked: Checked): AmountIssue | null =>
  quoted.legs.flatMap((leg) => issuesOf(leg, checked)).find((issue) => issue !== null) ?? null;
