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
  type DecimalLike,
} from '@bascule/amounts';
import type { AmountIssue, AmountLimits } from '@bascule/contracts';
import { worth } from '../routes/amount.js';
import { amountIssue } from '../routes/amount-issue.js';
import { formatLimits, roundLimit } from '../routes/input-limits.js';
import type { PriceBook } from '../routes/price-book.js';
import { depositOf, feesOf, outputOf, type QuotedRoute } from '../routes/quoted-route.js';
import type { QuotingContext } from '../routes/quoting-context.js';

/** Fees change from block to block and grow a little with the amount: the least input allows for a tenth more. */
const ROOM = '1.1';

type ShareContext = Pick<QuotingContext, 'input' | 'prices' | 'maxFeeBps'>;

/** Value of an input, and of what fees take of it. */
export interface FeePoint {
  given: Decimal;
  fees: Decimal;
}

/**
 * Fees of a quoted route. Where the request allows price impacts, the losses of conversions and bridges are none.
 * @throws MissingPriceError
 */
export function feePoint(
  quoted: QuotedRoute,
  { prices, allowsPriceImpact }: Pick<QuotingContext, 'prices' | 'allowsPriceImpact'>,
): FeePoint {
  const given = worth(quoted.input, prices);
  if (!allowsPriceImpact) {
    return { given, fees: subDecimals(given, worth(outputOf(quoted), prices)) };
  }
  const deducted = quoted.legs.map((leg) => worth({ ...leg.input, units: feesOf(leg) }, prices));
  const ofOnramp = subDecimals(given, worth(depositOf(quoted), prices));
  return { given, fees: addDecimals(ofOnramp, ...deducted) };
}

export const takesTooMuch = ({ given, fees }: FeePoint, maxFeeBps: number): boolean =>
  compareDecimals(mulDecimals(fees, String(ALL_BPS)), mulDecimals(given, String(maxFeeBps))) > 0;

/** Least input that is accepted; `never` where proportional fees alone take too much, null where unknown. */
export type LeastInput = bigint | 'never' | null;

/** Input worth `flat / share`, with room; the share is in basis points. @throws MissingPriceError */
function inputWorth(flat: Decimal, share: DecimalLike, { input, prices }: ShareContext): bigint {
  const fees = mulDecimals(mulDecimals(flat, ROOM), String(ALL_BPS));
  const value = divDecimals(fees, share, 18, 'up');
  return roundLimit(unitsOf(value, input.decimals, prices.priceOf(input.asset), 'up'), 'min');
}

/** Least input of which flat fees of this value take no more than the accepted share. @throws MissingPriceError */
export const leastInputFor = (fees: Decimal, context: ShareContext): bigint =>
  inputWorth(fees, String(context.maxFeeBps), context);

/**
 * Least input where the fees are on a line through two points, of which both take too much. Unknown where the second
 * is not of a larger input.
 * @throws MissingPriceError
 */
export function leastInputOnLine(from: FeePoint, to: FeePoint, context: ShareContext): LeastInput {
  const [given, fees] = [subDecimals(to.given, from.given), subDecimals(to.fees, from.fees)];
  if (compareDecimals(given, ZERO) <= 0) return null;
  const flat = subDecimals(mulDecimals(from.fees, given), mulDecimals(fees, from.given));
  const accepted = mulDecimals(given, String(context.maxFeeBps));
  const rest = subDecimals(accepted, mulDecimals(fees, String(ALL_BPS)));
  if (compareDecimals(rest, ZERO) > 0) return inputWorth(flat, rest, context);
  // Fees that grow faster than the input also take less of a smaller one.
  return compareDecimals(flat, ZERO) < 0 ? null : 'never';
}

/** Issue of an amount of which fees take more than the accepted share, with the service that takes most. */
export function feeShareIssue(
  quoted: QuotedRoute,
  { given, fees }: FeePoint,
  least: LeastInput,
  { input, prices, maxFeeBps }: ShareContext,
): AmountIssue {
  const percent = formatDecimal(divDecimals(mulDecimals(fees, '100'), given, 0, 'down'));
  const most = formatDecimal(divDecimals(String(maxFeeBps), '100', 2, 'down'));
  return amountIssue(input, {
    source: largestTaker(quoted, fees, prices),
    reason: least === 'never' ? 'NO_VALID_AMOUNT' : 'UNEXPECTEDLY_LOW',
    limits: minimumOf(least, input.decimals),
    because: `of which fees take ${percent} %; at most ${most} % is accepted.`,
  });
}

/** Limits with the least input, where it is known. */
export const minimumOf = (least: LeastInput, decimals: number): AmountLimits =>
  typeof least === 'bigint' ? formatLimits({ min: least }, decimals) : {};

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
