import { AmountError, parseAmount } from '@bascule/amounts';
import { UnreadableAnswer, type JsonObject } from './json-object.js';

/** Reads an amount of a token in whole units as its smallest units; more decimals than the token has are unreadable. */
export function exactUnits(answer: JsonObject, field: string, decimals: number): bigint {
  try {
    return parseAmount(answer.string(field), decimals);
  } catch (error) {
    if (error instanceof AmountError) throw new UnreadableAnswer(field, 'an amount of the token');
    throw error;
  }
}

/** As {@link exactUnits}, but drops decimals that the token does not have: providers compute with more. */
export const wholeUnits = (answer: JsonObject, field: string, decimals: number): bigint =>
  unitsOfDecimal(answer.decimal(field), decimals);

/** Smallest units of a plain decimal, rounded down. */
export function unitsOfDecimal(amount: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}
