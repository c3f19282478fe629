import type { Decimal } from '@bascule/amounts';
import { isJsonObject, JsonNumber, positiveDecimal, readJsonObject } from './json-decimals.js';

export interface MarketQuote {
  usd: Decimal;
  asOf: Date;
}

export interface MarketQuotes {
  /** By the key that was asked for: a contract's address in lower case, or a coin's id. */
  quotes: ReadonlyMap<string, MarketQuote>;
  /** Keys whose entry is there but makes no sense. */
  nonsense: readonly string[];
}

/** Clocks differ. */
const AHEAD_MS = 300_000;

/**
 * What CoinGecko's `/simple/price` and `/simple/token_price` answer: `{"<key>":{"usd":1.0,"last_updated_at":1795000000}}`.
 * Keys that it does not know are absent, or have an empty object.
 * @throws UnreadableAnswerError when it is something else as a whole
 */
export function readMarketQuotes(text: string, now: Date): MarketQuotes {
  const answer = readJsonObject(text);
  const quotes = new Map<string, MarketQuote>();
  const nonsense: string[] = [];
  for (const [key, entry] of Object.entries(answer)) {
    if (isEmpty(entry)) continue;
    const quote = quoteOf(entry, now);
    if (quote) quotes.set(key.toLowerCase(), quote);
    else nonsense.push(key);
  }
  return { quotes, nonsense };
}

const isEmpty = (entry: unknown): boolean =>
  isJsonObject(entry) && (entry['usd'] === undefined || entry['usd'] === null);

function quoteOf(entry: unknown, now: Date): MarketQuote | null {
  if (!isJsonObject(entry)) return null;
  const usd = positiveDecimal(entry['usd']);
  const seconds = entry['last_updated_at'];
  if (!usd || !(seconds instanceof JsonNumber) || !/^\d{1,11}$/.test(seconds.text)) return null;
  const asOf = new Date(Number(seconds.text) * 1000);
  if (asOf.getTime() - now.getTime() > AHEAD_MS) return null;
  return { usd, asOf: asOf > now ? now : asOf };
}
