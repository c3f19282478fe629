import { divDecimals, type Decimal } from '@bascule/amounts';
import { UnreadableResponseError } from '../../upstream/unreadable-response-error.js';
import { isJsonObject, positiveDecimal, readJsonObject } from './json-decimals.js';

export interface MarketRates {
  /** US dollars per unit of fiat currencies, by lower-case code. */
  usd: ReadonlyMap<string, Decimal>;
  /** Currencies with a malformed entry. */
  malformed: readonly string[];
}

/** Enough for the cheapest currency. */
const DECIMALS = 18;

/**
 * Reads CoinGecko's `/exchange_rates`: `{"rates":{"usd":{"name":"US Dollar","unit":"$","value":67187.3,
 * "type":"fiat"},…}}`, in units per bitcoin. Coins and metals are left out.
 * @throws UnreadableResponseError for any other document, and without the US dollar
 */
export function readMarketRates(text: string): MarketRates {
  const { rates } = readJsonObject(text);
  if (!isJsonObject(rates)) throw new UnreadableResponseError('expected exchange rates');
  const fiats = Object.entries(rates).filter(
    ([code, entry]) => /^[a-z]{3}$/i.test(code) && isJsonObject(entry) && entry['type'] === 'fiat',
  );
  const perBitcoin = new Map<string, Decimal>();
  const malformed: string[] = [];
  for (const [code, entry] of fiats) {
    const value = isJsonObject(entry) && positiveDecimal(entry['value']);
    if (value) perBitcoin.set(code.toLowerCase(), value);
    else malformed.push(code);
  }
  const dollar = perBitcoin.get('usd');
  if (!dollar) throw new UnreadableResponseError('expected an exchange rate of the US dollar');
  const usd = [...perBitcoin].map(
    ([code, value]) => [code, divDecimals(dollar, value, DECIMALS, 'down')] as const,
  );
  return { usd: new Map(usd), malformed };
}
