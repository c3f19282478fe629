import {
  ALL_BPS,
  addDecimals,
  compareDecimals,
  divDecimals,
  formatDecimal,
  mulDecimals,
  subDecimals,
  unitsOf,
  ZERO,
  type Decimal,
} from '@bascule/amounts';
import type { AmountIssue } from '@bascule/contracts';
import { worth } from '../routes/amount.js';
import { amountIssue } from '../routes/amount-issue.js';
import { formatLimits, roundLimit } from '../routes/input-limits.js';
import type { PriceBook } from '../routes/price-book.js';
import { outputOf, type QuotedRoute } from '../routes/quoted-route.js';
import type { QuotingContext } from '../routes/quoting-context.js';

/** Fees change from block to block and grow a little with the amount: the least input allows for a tenth more. */
const ROOM = '1.1';

/** Least input of which fees of this value take no more than the accepted share. @throws MissingPriceError */
export function leastInputFor(
  fees: Decimal,
  { input, prices, maxFeeBps }: Pick<QuotingContext, 'input' | 'prices' | 'maxFeeBps'>,
): bigint {
  const value = divDecimals(
    mulDecimals(mulDecimals(fees, ROOM), String(ALL_BPS)),
    String(maxFeeBps),
    18,
    'up',
  );
  return roundLimit(unitsOf(value, input.decimals, prices.priceOf(input.asset), 'up'), 'min');
}

/**
 * Issue of an amount of which fees take more than the accepted share, with the service that takes most; null within it.
 * @throws MissingPriceError
 */
export function feeShareIssue(
  quoted: QuotedRoute,
  context: Pick<QuotingContext, 'input' | 'prices' | 'maxFeeBps'>,
): AmountIssue | null {
  const { input, prices, maxFeeBps } = context;
  if (maxFeeBps >= ALL_BPS) return null;
  const given = worth(input, prices);
  const fees = subDecimals(given, worth(outputOf(quoted), prices));
  const accepted = divDecimals(mulDecimals(given, String(maxFeeBps)), String(ALL_BPS), 30, 'down');
  if (compareDecimals(fees, accepted) <= 0) return null;
  const percent = formatDecimal(divDecimals(mulDecimals(fees, '100'), given, 0, 'down'));
  const most = formatDecimal(divDecimals(String(maxFeeBps), '100', 2, 'down'));
  return amountIssue(input, {
    source: largestTaker(quoted, fees, prices),
    reason: 'UNEXPECTEDLY_LOW',
    limits: formatLimits({ min: leastInputFor(fees, context) }, input.decimals),
    because: `of which fees take ${percent} %; at most ${most} % is accepted.`,
  });
}

/** The chain whose gas costs most where gas is half of the fees, else the provider, bridge or venue. */
function largestTaker({ onramp, legs }: QuotedRoute, fees: Decimal, prices: PriceBook): string {
  const gas = legs.map((leg) => ({
    chain: leg.chain,
    value: worth({ ...leg.input, units: leg.networkFee }, prices),
  }));
  const [dearest] = gas.sort((a, b) => compareDecimals(b.value, a.value));
  const total = gas.reduce((sum, { value }) => addDecimals(sum, value), ZERO);
  const others = [onramp?.provider, ...legs.flatMap(({ bridge, venue }) => [bridge?.name, venue])];
  const other = others.find((each) => each !== undefined && each !== null);
  const isMostlyGas = compareDecimals(mulDecimals(total, '2'), fees) >= 0;
  return (isMostlyGas ? undefined : other) ?? dearest?.chain ?? other ?? '';
}
