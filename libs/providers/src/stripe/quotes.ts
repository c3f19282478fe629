import { addDecimals, compareDecimals, subDecimals } from '@bascule/amounts';
import type { DecimalString } from '@bascule/contracts';
import type { JsonObject } from '../wire/json-object.js';
import { isWithinACent } from '../wire/money.js';
import { wholeUnits } from '../wire/token-units.js';
import { isOfPair, networkKeys, type StripePair } from './pairs.js';
import type { SourceQuote } from './total-quote.js';

/** A quote of one token. */
export interface StripeQuote extends SourceQuote {
  /** Smallest units, rounded down. */
  deliveryAmount: bigint;
}

/** Finds the quote of a pair; undefined where Stripe does not sell it. */
export function findItem(answer: JsonObject, pair: StripePair): JsonObject | undefined {
  const byNetwork = answer.object('destination_network_quotes');
  return networkKeys(pair.network)
    .filter((name) => byNetwork.has(name))
    .flatMap((name) => byNetwork.objects(name))
    .find((item) => isOfPair(item, pair));
}

/** Whether quotes are those for a fiat and a source amount. */
export const isOfAmount = (
  answer: JsonObject,
  { fiat, sourceAmount }: { fiat: string; sourceAmount: DecimalString },
): boolean =>
  answer.string('source_currency').toLowerCase() === fiat &&
  compareDecimals(answer.decimal('source_amount'), sourceAmount) === 0;

/** Reads the quote of a token; undefined when its total is not the source amount and the fees. */
export function readItem(
  item: JsonObject,
  { sourceAmount, tokenDecimals }: { sourceAmount: DecimalString; tokenDecimals: number },
): StripeQuote | undefined {
  const told = item.object('fees');
  const fees = addDecimals(
    told.decimal('network_fee_monetary'),
    told.decimal('transaction_fee_monetary'),
  );
  const total = addDecimals(sourceAmount, fees);
  const toldTotal = item.decimal('source_total_amount');
  const isAbove = compareDecimals(toldTotal, total) > 0;
  if (!isWithinACent(toldTotal, total)) return undefined;
  return {
    sourceAmount,
    // Of the told total, which the customer pays.
    fees: isAbove ? subDecimals(toldTotal, sourceAmount) : fees,
    deliveryAmount: wholeUnits(item, 'destination_amount', tokenDecimals),
  };
}
