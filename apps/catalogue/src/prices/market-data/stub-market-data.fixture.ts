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
  /** Answers in place of the ordinary answer when it gives one. */
  instead: (question: MarketQuestion) => CannedResponse | Promise<CannedResponse> | undefined;
  questions(): MarketQuestion[];
}

function questionOf(path: string): MarketQuestion {
  const { pathname, searchParams } = new URL(path, 'http://stub');
  const platform = /\/simple\/token_price\/([^/]+)$/.exec(pathname)?.[1] ?? null;
  const keys = searchParams.get(platform === null ? 'ids' : 'contract_addresses') ?? '';
  return { platform, keys: keys.split(',') };
}

/** An upstream in CoinGecko's wire format, below `/api/v3`. */
export async function startStubMarketData(): Promise<StubMarketData> {
  const stub: StubMarketData = {
    server: await startCapturingServer(async ({ path }) => {
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
    lastUpdatedAt: Math.floor(Date.now() / 1000),
    instead: () => undefined,
    questions: () => stub.server.requests.map(({ path }) => questionOf(path)),
  };
  return stub;
}
