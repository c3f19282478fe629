import type { TextResponse } from '@bascule/json-client';
import { UnreadableAnswerError } from '../../upstream/unreadable-answer.js';
import type { UpstreamClient } from '../../upstream/upstream.client.js';
import { readMarketQuotes, type MarketQuotes } from './market-quotes.js';
import { readMarketRates, type MarketRates } from './market-rates.js';

/** The API understood the question and does not answer it, e.g. one for more contracts than the plan allows. */
const REFUSALS = new Set([400, 413, 414, 422]);
const QUESTION = 'vs_currencies=usd&include_last_updated_at=true&precision=full';

/** CoinGecko's API, or one that speaks the same. */
export class CoinGeckoClient {
  constructor(private readonly upstream: UpstreamClient) {}

  get isCircuitOpen(): boolean {
    return this.upstream.isCircuitOpen;
  }

  /** Null when the question is refused. @throws PeerError */
  tokenPrices(platform: string, addresses: readonly string[]): Promise<MarketQuotes | null> {
    const contracts = addresses.join(',');
    return this.upstream.get(
      `simple/token_price/${encodeURIComponent(platform)}?contract_addresses=${contracts}&${QUESTION}`,
      quotesOf,
    );
  }

  /** Null when the question is refused. @throws PeerError */
  coinPrices(ids: readonly string[]): Promise<MarketQuotes | null> {
    const coins = ids.map(encodeURIComponent).join(',');
    return this.upstream.get(`simple/price?ids=${coins}&${QUESTION}`, quotesOf);
  }

  /** Null when the API, or its plan, has none. @throws PeerError */
  exchangeRates(): Promise<MarketRates | null> {
    return this.upstream.get('exchange_rates', ratesOf);
  }
}

function quotesOf({ status, text }: TextResponse): MarketQuotes | null {
  if (REFUSALS.has(status)) return null;
  if (status !== 200) throw new UnreadableAnswerError(`status ${status}`);
  return readMarketQuotes(text, new Date());
}

function ratesOf({ status, text }: TextResponse): MarketRates | null {
  if (status >= 400) return null;
  if (status !== 200) throw new UnreadableAnswerError(`status ${status}`);
  return readMarketRates(text);
}
