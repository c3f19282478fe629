import { formatDecimal } from '@bascule/amounts';
import type { DecimalString } from '@bascule/contracts';
import type { JsonObject } from '../wire/json-object.js';

const DECIMALS = 2;

/** Name of the field with the number: documented as `value` and as `amount`. */
const amountField = (money: JsonObject): 'value' | 'amount' =>
  money.has('value') ? 'value' : 'amount';

export const amountOf = (money: JsonObject): DecimalString => money.decimal(amountField(money));

export const isIn = (money: JsonObject, currency: string): boolean =>
  money.string('currency').toUpperCase() === currency.toUpperCase();

/** Writes an amount with two decimals, as quotes require. */
export function withCents(amount: DecimalString): DecimalString {
  const [whole = '', fraction = ''] = formatDecimal(amount, DECIMALS).split('.');
  return `${whole}.${fraction.padEnd(DECIMALS, '0')}`;
}
