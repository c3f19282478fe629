import { startCapturingServer, type CannedResponse, type CapturingServer } from '@bascule/testing';

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** What CoinGecko answers when a demo key asks for more contracts than its plan allows. */
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

export interface MarketQuestion {
  platform: string | null;
  keys: string[];
}

export interface StubMarketData {
  server: CapturingServer;
  /** JSON text of the US dollar price, by contract address or coin. */
  prices: Map<string, string>;
  lastUpdatedAt: number;
  /** JSON text of units per bitcoin, by fiat currency. */
  rates: Map<string, string>;
  /** Answers in place of the exchange rates when it gives one. */
  insteadOfRates: () => CannedResponse | Promise<CannedResponse> | undefined;
  /** Answers in place of the ordinary prices when it gives one. */
  instead: (question: MarketQuestion) => CannedResponse | Promise<CannedResponse> | undefined;
  /** For prices. */
  questions(): MarketQuestion[];
  ratesAsked(): number;
}

function questionOf(path: string): MarketQuestion {
  const { pathname, searchParams } = new URL(path, 'http://stub');
  const platform = /\/simple\/token_price\/([^/]+)$/.exec(pathname)?.[1] ?? null;
  const keys = searchParams.get(platform === null ? 'ids' : 'contract_addresses') ?? '';
  return { platform, keys: keys.split(',') };
}

const COINS_AND_METALS = [
  '"btc":{"name":"Bitcoin","unit":"BTC","value":1.0,"type":"crypto"}',
  '"xau":{"name":"Gold - Troy Ounce","unit":"XAU","value":16.4,"type":"commodity"}',
];

/** The bytes of `/exchange_rates`; values as JSON texts. */
export function aRatesAnswer(values: ReadonlyMap<string, string>): string {
  const fiats = [...values].map(
    ([code, value]) =>
      `"${code}":{"name":"${code} name","unit":"${code}","value":${value},"type":"fiat"}`,
  );
  return `{"rates":{${[...COINS_AND_METALS, ...fiats].join()}}}`;
}

const asksForRates = (path: string): boolean => path.endsWith('/exchange_rates');

/** An upstream in CoinGecko's wire format, below `/api/v3`. */
export async function startStubMarketData(): Promise<StubMarketData> {
  const stub: StubMarketData = {
    server: await startCapturingServer(async ({ path }) => {
      if (asksForRates(path)) {
        const ordinary = { headers: JSON_HEADERS, body: aRatesAnswer(stub.rates) };
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
    questions: () =>
      stub.server.requests
        .map(({ path }) => path)
        .filter((path) => !asksForRates(path))
        .map(questionOf),
    ratesAsked: () => stub.server.requests.filter(({ path }) => asksForRates(path)).length,
  };
  return stub;
}
