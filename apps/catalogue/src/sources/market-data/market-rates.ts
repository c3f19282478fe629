import { divDecimals, type Decimal } from '@bascule/amounts';
import { UnreadableAnswerError } from '../../upstream/unreadable-answer.js';
import { isJsonObject, positiveDecimal, readJsonObject } from './json-decimals.js';

export interface MarketRates {
  /** US dollars per unit of fiat currencies, by lower-case code. */
  usd: ReadonlyMap<string, Decimal>;
  /** Currencies whose entry is there but makes no sense. */
  nonsense: readonly string[];
}

/** Enough for the cheapest currency. */
const DECIMALS = 18;

/**
 * What CoinGecko's `/exchange_rates` answers: `{"rates":{"usd":{"name":"US Dollar","unit":"$","value":67187.3,
 * "type":"fiat"},…}}`, in units per bitcoin. Coins and metals, which are in it too, are left out.
 * @throws UnreadableAnswerError when it is something else as a whole, or there is no US dollar to go by
 */
export function readMarketRates(text: string): MarketRates {
  const { rates } = readJsonObject(text);
  if (!isJsonObject(rates)) throw new UnreadableAnswerError('no exchange rates');
  const fiats = Object.entries(rates).filter(
    ([code, entry]) => /^[a-z]{3}$/i.test(code) && isJsonObject(entry) && entry['type'] === 'fiat',
  );
  const perBitcoin = new Map<string, Decimal>();
  const nonsense: string[] = [];
  for (const [code, entry] of fiats) {
    const value = isJsonObject(entry) && positiveDecimal(entry['value']);
    if (value) perBitcoin.set(code.toLowerCase(), value);
    else nonsense.push(code);
  }
  const dollar = perBitcoin.get('usd');
  if (!dollar) throw new UnreadableAnswerError('exchange rates without the US dollar');
  const usd = [...perBitcoin].map(
    ([code, value]) => [code, divDecimals(dollar, value, DECIMALS, 'down')] as const,
  );
  return { usd: new Map(usd), nonsense };
}
