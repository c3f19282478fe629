import type { Decimal } from '@bascule/amounts';
import { isJsonObject, JsonNumber, positiveDecimal, readJsonObject } from './json-decimals.js';

export interface MarketQuote {
  usd: Decimal;
  asOf: Date;
}

export interface MarketQuotes {
  /** Quotes by requested key: a contract address in lower case, or a coin id. */
  quotes: ReadonlyMap<string, MarketQuote>;
  /** Keys with a malformed entry. */
  malformed: readonly string[];
}

/** Tolerance for clock drift. */
const AHEAD_MS = 300_000;

/**
 * Reads CoinGecko's `/simple/price` and `/simple/token_price`: `{"<key>":{"usd":1.0,"last_updated_at":1795000000}}`.
 * Unknown keys are absent or have an empty object.
 * @throws UnreadableResponseError for any other document
 */
export function readMarketQuotes(text: string, now: Date): MarketQuotes {
  const answer = readJsonObject(text);
  const quotes = new Map<string, MarketQuote>();
  const malformed: string[] = [];
  for (const [key, entry] of Object.entries(answer)) {
    if (isEmpty(entry)) continue;
    const quote = quoteOf(entry, now);
    if (quote) quotes.set(key.toLowerCase(), quote);
    else malformed.push(key);
  }
  return { quotes, malformed };
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
