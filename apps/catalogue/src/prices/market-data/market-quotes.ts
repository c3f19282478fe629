import type { Decimal } from '@bascule/amounts';
import { UnreadableAnswerError } from '../upstream/unreadable-answer.js';
import { JsonNumber, parseJsonExactly, positiveDecimal } from './json-decimals.js';

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
  const answer = objectOf(text);
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof JsonNumber);

const isEmpty = (entry: unknown): boolean =>
  isObject(entry) && (entry['usd'] === undefined || entry['usd'] === null);

function objectOf(text: string): Record<string, unknown> {
  let answer: unknown;
  try {
    answer = parseJsonExactly(text);
  } catch (error) {
    throw new UnreadableAnswerError('no JSON', { cause: error });
  }
  if (!isObject(answer)) throw new UnreadableAnswerError('no map of prices');
  return answer;
}

function quoteOf(entry: unknown, now: Date): MarketQuote | null {
  if (!isObject(entry)) return null;
  const usd = positiveDecimal(entry['usd']);
  const seconds = entry['last_updated_at'];
  if (!usd || !(seconds instanceof JsonNumber) || !/^\d{1,11}$/.test(seconds.text)) return null;
  const asOf = new Date(Number(seconds.text) * 1000);
  if (asOf.getTime() - now.getTime() > AHEAD_MS) return null;
  return { usd, asOf: asOf > now ? now : asOf };
}
