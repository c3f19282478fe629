import type { TextResponse } from '@bascule/json-client';
import { UnreadableResponseError } from '../../upstream/unreadable-response-error.js';
import type { UpstreamClient } from '../../upstream/upstream.client.js';
import { readMarketQuotes, type MarketQuotes } from './market-quotes.js';
import { readMarketRates, type MarketRates } from './market-rates.js';

/** Statuses of a refused request, such as one for more contracts than the plan allows. */
const REFUSALS = new Set([400, 413, 414, 422]);
const QUERY = 'vs_currencies=usd&include_last_updated_at=true&precision=full';

/** Client of CoinGecko's API, or a compatible one. */
export class CoinGeckoClient {
  constructor(private readonly upstream: UpstreamClient) {}

  get isCircuitOpen(): boolean {
    return this.upstream.isCircuitOpen;
  }

  /** Returns null when the request is refused. @throws PeerError */
  tokenPrices(platform: string, addresses: readonly string[]): Promise<MarketQuotes | null> {
    const contracts = addresses.join(',');
    return this.upstream.get(
      `simple/token_price/${encodeURIComponent(platform)}?contract_addresses=${contracts}&${QUERY}`,
      quotesOf,
    );
  }

  /** Returns null when the request is refused. @throws PeerError */
  coinPrices(ids: readonly string[]): Promise<MarketQuotes | null> {
    const coins = ids.map(encodeURIComponent).join(',');
    return this.upstream.get(`simple/price?ids=${coins}&${QUERY}`, quotesOf);
  }

  /** Returns null when the API or its plan has none. @throws PeerError */
  exchangeRates(): Promise<MarketRates | null> {
    return this.upstream.get('exchange_rates', ratesOf);
  }
}

function quotesOf({ status, text }: TextResponse): MarketQuotes | null {
  if (REFUSALS.has(status)) return null;
  if (status !== 200) throw new UnreadableResponseError(`unexpected status ${status}`);
  return readMarketQuotes(text, new Date());
}

function ratesOf({ status, text }: TextResponse): MarketRates | null {
  if (status >= 400) return null;
  if (status !== 200) throw new UnreadableResponseError(`unexpected status ${status}`);
  return readMarketRates(text);
}
