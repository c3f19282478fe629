import { AmountError, isZero, parseDecimal, type Decimal } from '@bascule/amounts';

export type FiatRates = ReadonlyMap<string, Decimal>;

/**
 * Parses US dollars per unit of each fiat currency; `usd` is always 1.
 * @throws AmountError when a rate is not a positive decimal string
 */
export function fiatRates(rates: Readonly<Record<string, string>>): FiatRates {
  const parsed = Object.entries(rates).map(([code, rate]): [string, Decimal] => {
    const value = parseDecimal(rate);
    if (isZero(value)) throw new AmountError('malformed', `the rate of ${code} is zero`);
    return [code.toLowerCase(), value];
  });
  return new Map([...parsed, ['usd', parseDecimal('1')]]);
}
