import {
  ALL_BPS,
  compareDecimals,
  formatAmount,
  mulDecimals,
  parseDecimal,
  type Decimal,
} from '@bascule/amounts';
import type { AmountIssue, MessageIssue } from '@bascule/contracts';
import type { BridgeQuote } from '@bascule/venues';
import { worth, type Amount } from '../routes/amount.js';
import { amountIssue, type GivenAmount } from '../routes/amount-issue.js';
import type { PriceBook } from '../routes/price-book.js';

/** Maximum value delivered per value paid at an onramp; a better rate than 1.05 is an error or fraud. */
export const MAX_ONRAMP_RATE = parseDecimal('1.05');
/** Maximum value delivered per value sent over a bridge; observed prices of both tokens may differ by 1 %. */
export const MAX_BRIDGE_RATE = parseDecimal('1.01');
/** Maximum latency of an onramp: thirty days, more than any bank transfer. */
const MAX_ONRAMP_SECONDS = 30 * 86_400;
/** Maximum latency of a bridge: one day. */
const MAX_BRIDGE_SECONDS = 86_400;

const shareOf = (bps: number): string => formatAmount(BigInt(bps), 4);

/**
 * Issue of a conversion or bridge whose output is worth over `maxBps` less or more than its input, or null.
 * Less means a pool too thin for the amount, more means a wrong price.
 * @throws MissingPriceError
 */
export function priceImpactIssue(o: {
  input: GivenAmount;
  /** Amount that enters the venue, after fees. */
  converted: Amount;
  output: Amount;
  venue: string;
  maxBps: number;
  /** Whether the output may be worth less. */
  allowsLoss: boolean;
  prices: PriceBook;
}): AmountIssue | null {
  const { input, converted, output, venue, maxBps, allowsLoss } = o;
  const [given, received] = [worth(converted, o.prices), worth(output, o.prices)];
  const isLow =
    !allowsLoss &&
    compareDecimals(received, mulDecimals(given, shareOf(Math.max(ALL_BPS - maxBps, 0)))) < 0;
  const isHigh = compareDecimals(received, mulDecimals(given, shareOf(ALL_BPS + maxBps))) > 0;
  if (!isLow && !isHigh) return null;
  const bound = formatAmount(BigInt(maxBps), 2);
  return amountIssue(input, {
    source: venue,
    reason: isLow ? 'UNEXPECTEDLY_LOW' : 'UNEXPECTEDLY_HIGH',
    because: `but the output of ${venue} is worth over ${bound} % ${isLow ? 'less' : 'more'} than its input.`,
  });
}

/**
 * Issue of a delivery worth more than `maxRate` times the payment, or null.
 * @throws MissingPriceError
 */
export function overvaluedDeliveryIssue(o: {
  source: string;
  paid: Amount;
  delivered: Amount;
  maxRate: Decimal;
  prices: PriceBook;
}): MessageIssue | null {
  const { source, paid, delivered, maxRate, prices } = o;
  if (compareDecimals(worth(delivered, prices), mulDecimals(worth(paid, prices), maxRate)) <= 0) {
    return null;
  }
  const amount = formatAmount(delivered.units, delivered.decimals);
  return {
    kind: 'provider',
    message: `${source}: quoted ${amount} ${delivered.asset}, which is worth more than the payment`,
  };
}

/** Issue of a time to deliver that cannot be right, or null. */
export const onrampLatencyIssue = (
  provider: string,
  latencySeconds: number,
): MessageIssue | null =>
  latencySeconds <= MAX_ONRAMP_SECONDS
    ? null
    : { kind: 'provider', message: `${provider}: latency must be at most 30 days` };

/**
 * Issue of a bridge quote that cannot be right, or null.
 * @throws MissingPriceError
 */
export function bridgeQuoteIssue(o: {
  quote: BridgeQuote;
  sent: Amount;
  delivered: Amount;
  prices: PriceBook;
}): MessageIssue | null {
  const { quote, sent, delivered, prices } = o;
  const source = quote.bridge;
  if (delivered.units <= 0n) {
    return { kind: 'provider', message: `${source}: would deliver nothing` };
  }
  const { latencySeconds } = quote;
  if (!(latencySeconds >= 0 && latencySeconds <= MAX_BRIDGE_SECONDS)) {
    return { kind: 'provider', message: `${source}: latency must be between 0 and 1 day` };
  }
  return overvaluedDeliveryIssue({
    source,
    paid: sent,
    delivered,
    maxRate: MAX_BRIDGE_RATE,
    prices,
  });
}
