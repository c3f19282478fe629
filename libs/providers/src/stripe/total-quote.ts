import {
  addDecimals,
  compareDecimals,
  divDecimals,
  formatDecimal,
  mulDecimals,
  subDecimals,
  type Decimal,
} from '@bascule/amounts';
import type { DecimalString } from '@bascule/contracts';

/** A quote by source amount: the fees come on top of it. */
export interface SourceQuote {
  sourceAmount: DecimalString;
  fees: Decimal;
}

/** Most quotes that are asked for: each one is a call. */
const MAX_QUOTES = 3;
/** Least share of the total that a quote must reach. */
const LEAST_SHARE = '0.99';
/** Share of the total that the last quote aims at: fees are rounded to cents. */
const TARGET_SHARE = '0.995';
const FIAT_DECIMALS = 2;
const FACTOR_DECIMALS = 12;

const totalOf = ({ sourceAmount, fees }: SourceQuote): Decimal => addDecimals(sourceAmount, fees);

/** Subtracts the fees of a quote whose total is too high: lower amounts have lower fees. */
function withoutFees(total: DecimalString, { fees }: SourceQuote): DecimalString {
  if (compareDecimals(fees, total) >= 0) return '0';
  return formatDecimal(subDecimals(total, fees), FIAT_DECIMALS, 'down');
}

/** Source amount between two quotes, one below and one above the total: fees are a share and a fixed part. */
function between(total: DecimalString, below: SourceQuote, above: SourceQuote): DecimalString {
  const missing = subDecimals(mulDecimals(total, TARGET_SHARE), totalOf(below));
  const perTotal = divDecimals(
    subDecimals(above.sourceAmount, below.sourceAmount),
    subDecimals(totalOf(above), totalOf(below)),
    FACTOR_DECIMALS,
    'down',
  );
  const amount = addDecimals(below.sourceAmount, mulDecimals(missing, perTotal));
  return formatDecimal(amount, FIAT_DECIMALS, 'down');
}

/** Finds a quote of which the total, fees included, is at most the given one and at least 99 % of it. */
export async function quoteForTotal<Quote extends SourceQuote>(
  total: DecimalString,
  ask: (sourceAmount: DecimalString) => Promise<Quote>,
): Promise<Quote | undefined> {
  const least = mulDecimals(total, LEAST_SHARE);
  let sourceAmount = formatDecimal(total, FIAT_DECIMALS, 'down');
  let above: Quote | undefined;
  for (let asked = 0; asked < MAX_QUOTES; asked += 1) {
    const quote = await ask(sourceAmount);
    const quoted = totalOf(quote);
    if (compareDecimals(quoted, total) > 0) {
      above = quote;
      sourceAmount = withoutFees(total, quote);
    } else if (compareDecimals(quoted, least) >= 0 || !above) {
      return quote;
    } else {
      sourceAmount = between(total, quote, above);
    }
    if (compareDecimals(sourceAmount, '0') === 0) return undefined;
  }
  return undefined;
}
