import { startCapturingServer, type CannedResponse, type CapturingServer } from '@bascule/testing';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** CoinGecko's response to a demo key that requests more contracts than its plan allows. */
export const TOO_MANY_CONTRACTS: CannedResponse = {
  status: 400,
  headers: JSON_HEADERS,
  body: '{"error_code":10012,"error_message":"The number of contract addresses exceeds the allowed limit of 1 contract address."}',
};
export const RATE_LIMITED: CannedResponse = {
  status: 429,
  headers: { ...JSON_HEADERS, 'retry-after': '3600' },
  body: '{"status":{"error_code":429,"error_message":"You\'ve exceeded the Rate Limit."}}',
};
export const HTML: CannedResponse = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>',
};

export interface MarketRequest {
  platform: string | null;
  keys: string[];
}

export interface MarketDataStub {
  server: CapturingServer;
  /** US dollar prices as JSON text, by contract address or coin. */
  prices: Map<string, string>;
  lastUpdatedAt: number;
  /** Units per bitcoin as JSON text, by fiat currency. */
  rates: Map<string, string>;
  /** Overrides the response with exchange rates. */
  insteadOfRates: () => CannedResponse | Promise<CannedResponse> | undefined;
  /** Overrides the response with prices. */
  instead: (question: MarketRequest) => CannedResponse | Promise<CannedResponse> | undefined;
  /** Received requests for prices. */
  priceRequests(): MarketRequest[];
  rateRequests(): number;
}

function questionOf(path: string): MarketRequest {
  const { pathname, searchParams } = new URL(path, 'http://stub');
  const platform = /\/simple\/token_price\/([^/]+)$/.exec(pathname)?.[1] ?? null;
  const keys = searchParams.get(platform === null ? 'ids' : 'contract_addresses') ?? '';
  return { platform, keys: keys.split(',') };
}

const COINS_AND_METALS = [
  '"btc":{"name":"Bitcoin","unit":"BTC","value":1.0,"type":"crypto"}',
  '"xau":{"name":"Gold - Troy Ounce","unit":"XAU","value":16.4,"type":"commodity"}',
];

/** Body of `/exchange_rates`; values are JSON texts. */
export function ratesResponse(values: ReadonlyMap<string, string>): string {
  const fiats = [...values].map(
    ([code, value]) =>
      `"${code}":{"name":"${code} name","unit":"${code}","value":${value},"type":"fiat"}`,
  );
  return `{"rates":{${[...COINS_AND_METALS, ...fiats].join()}}}`;
}

const asksForRates = (path: string): boolean => path.endsWith('/exchange_rates');

/** Starts an upstream in CoinGecko's wire format below `/api/v3`. */
export async function startMarketDataStub(): Promise<MarketDataStub> {
  const stub: MarketDataStub = {
    server: await startCapturingServer(async ({ path }) => {
      if (asksForRates(path)) {
        const ordinary = { headers: JSON_HEADERS, body: ratesResponse(stub.rates) };
        return (await stub.insteadOfRates()) ?? ordinary;
      }
      const question = questionOf(path);
      const other = await stub.instead(question);
      if (other) return other;
      const entries = question.keys.flatMap((key) => {
        const usd = stub.prices.get(key);
        const entry = `"${key}":{"usd":${usd},"last_updated_at":${stub.lastUpdatedAt}}`;
        return usd === undefined ? [] : [entry];
      });
      return { headers: JSON_HEADERS, body: `{${entries.join()}}` };
    }),
    prices: new Map(),
    rates: new Map(),
    lastUpdatedAt: Math.floor(Date.now() / 1000),
    insteadOfRates: () => undefined,
    instead: () => undefined,
    priceRequests: () =>
      stub.server.requests
        .map(({ path }) => path)
        .filter((path) => !asksForRates(path))
        .map(questionOf),
    rateRequests: () => stub.server.requests.filter(({ path }) => asksForRates(path)).length,
  };
  return stub;
}
