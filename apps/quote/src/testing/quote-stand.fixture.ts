import { TOPICS } from '@bascule/contracts';
import type {
  ErrorBody,
  KeyMode,
  OptInMethod,
  Permission,
  QuotesResponse,
  QuoteState,
} from '@bascule/contracts';
import { INTERNAL_TOKEN_HEADER, type CallerKind } from '@bascule/identity';
import { rpcCall } from '@bascule/local-stack';
import { TRANSPORT, type Transport } from '@bascule/messaging';
import { SealedTokens } from '@bascule/sealed-tokens';
import { startService, type RunningService } from '@bascule/service-host';
import {
  createServiceDatabase,
  eventually,
  internalTokens,
  startTestChain,
  type ServiceDatabase,
  type TestChain,
} from '@bascule/testing';
import { parseGwei, toHex } from 'viem';
import { quoteService } from '../index.js';
import { parseQuoteConfig } from '../config/quote.config.js';
import { ASSETS, assetRecord, PRICES, priceRecord } from './catalogue-feed.fixture.js';
import { startCountingNode, type CountingNode } from './quoter-requests.fixture.js';
import { startStubOnramps, type StubOnramp } from './stub-onramps.fixture.js';
import type { StubSolver } from './stub-solver.fixture.js';

export const ORGANISATION = '0190b2c3-0000-7000-8000-00000000000a';
export const FEE_RECEIVER = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';
/** Name of the stand's bridge. */
export const BRIDGE = 'intent_escrow';
const SEALING_KEYS = [{ kid: 'test', k: Buffer.alloc(32, 7).toString('base64url') }];

export interface Answer<T> {
  status: number;
  body: T;
}

export interface Asking {
  permissions?: Permission[];
  orgId?: string;
  /** Kind of the API key; secret by default. */
  kind?: CallerKind;
  headers?: Record<string, string>;
  /** Opt-in payment methods of the key. */
  methods?: OptInMethod[];
  mode?: KeyMode;
}

type Settings = Record<string, string>;

/** Quote service with a real database and chain, and stub providers over HTTP. */
export interface QuoteStand {
  service: RunningService;
  database: ServiceDatabase;
  chain: TestChain;
  /** `betanet`; null where it is unreachable. */
  otherChain: TestChain | null;
  transport: Transport;
  ask(
    body: unknown,
    permissions?: Permission[],
    asking?: Omit<Asking, 'permissions'>,
  ): Promise<Answer<QuotesResponse> & { headers: Headers }>;
  /** Sends a GET request of discovery. */
  get<T>(path: string, asking?: Asking): Promise<Answer<T> & { headers: Headers }>;
  /** Number of routing graphs built. */
  graphsBuilt(): Promise<number>;
  refused(body: unknown, permissions?: Permission[]): Promise<Answer<ErrorBody>>;
  open(stateToken: string): Promise<QuoteState>;
  /** Number of coverage requests to a provider. */
  coverageRequests(provider: string): number;
  /** Number of quote requests to a provider. */
  quoteRequests(provider: string): number;
  /** Number of requests to the quoter of `alphanet`, by its function. */
  quoterRequests: CountingNode['quoterRequests'];
  stop(): Promise<void>;
}

/**
 * Starts the stand: two chains with a solver; without, the second chain is unreachable.
 * @param settings variables of the service, or makes them from the URL of the node of `alphanet`
 */
export async function startQuoteStand(
  stubs: Record<string, StubOnramp>,
  settings: Settings | ((rpcUrl: string) => Promise<Settings>) = {},
  solver?: StubSolver,
): Promise<QuoteStand> {
  const tokens = internalTokens();
  const [chain, otherChain, database, onramps] = await Promise.all([
    startTestChain(),
    solver ? startTestChain({ name: 'betanet', chainId: 31338 }) : null,
    createServiceDatabase('quote'),
    startStubOnramps(stubs),
  ]);
  await Promise.all([chain, otherChain ?? []].flat().map(pinBaseFee));
  const node = await startCountingNode(chain.rpcUrl);
  const env = {
    ...tokens.env,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ENVIRONMENT: 'test',
    DATABASE_URL: database.database.url,
    CHAINS: 'alphanet,betanet',
    RPC_URLS_ALPHANET: node.url,
    RPC_URLS_BETANET: otherChain?.rpcUrl ?? 'http://127.0.0.1:9',
    // A stand that configures `deltanet` reads it from the node of betanet, which has the same contracts.
    RPC_URLS_DELTANET: otherChain?.rpcUrl ?? 'http://127.0.0.1:9',
    STATE_TOKEN_KEYS: JSON.stringify(SEALING_KEYS),
    FEE_RECEIVER,
    // Long timeouts, so that a slow machine fails no request.
    PROVIDER_TIMEOUT_MS: '60000',
    CHAIN_TIMEOUT_MS: '60000',
    ROUTE_TIMEOUT_MS: '60000',
    // Prices are observed once, when the stand starts.
    PRICE_MAX_AGE_MS: '3600000',
    PROVIDERS: JSON.stringify(
      Object.entries(stubs).map(([name, { isLive = false }]) => ({
        name,
        adapter: 'sandbox',
        sandbox: !isLive,
        base_url: `${onramps.url}/${name}`,
        api_key: 'key',
        callback_secret: 'secret',
      })),
    ),
    BRIDGES: JSON.stringify(
      solver
        ? [{ name: BRIDGE, adapter: 'intent-escrow', solver_url: solver.url, api_key: 'key' }]
        : [],
    ),
    MAX_INPUT_USD: '1000000000',
    ...(typeof settings === 'function' ? await settings(node.url) : settings),
  };
  await quoteService.migrate?.(parseQuoteConfig(env));
  // Quotes wait for the first build of the switches.
  await database.rows(
    `INSERT INTO projection_state (topic, tables, built_at) VALUES ('${TOPICS.switches.name}', '{switches}', now())`,
  );
  const service = await startService(quoteService, env);
  const transport = service.app.get<Transport>(TRANSPORT);
  await transport.publish([
    ...Object.keys(ASSETS).map((asset) => assetRecord(asset)),
    ...Object.entries(PRICES).map(([asset, usd]) => priceRecord(asset, usd)),
  ]);

  async function post<T>(
    body: unknown,
    permissions: Permission[],
    { orgId = ORGANISATION, kind = 'secret', headers, methods = [], mode = 'live' }: Asking = {},
  ): Promise<Answer<T> & { headers: Headers }> {
    const token = await tokens.token({ orgId, kind, permissions, methods, mode });
    const response = await fetch(`${service.url}/payments/quotes`, {
      method: 'POST',
      headers: { [INTERNAL_TOKEN_HEADER]: token, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as T;
    return { status: response.status, headers: response.headers, body: answer };
  }

  const stand: QuoteStand = {
    service,
    database,
    chain,
    otherChain,
    transport,
    ask: (body, permissions = ['quotes'], asking) =>
      post<QuotesResponse>(body, permissions, asking),
    get: async <T>(path: string, asking: Asking = {}) => {
      const { permissions = ['assets'], orgId = ORGANISATION, kind = 'secret', headers } = asking;
      const { methods = [], mode = 'live' } = asking;
      const token = await tokens.token({ orgId, kind, permissions, methods, mode });
      const response = await fetch(`${service.url}${path}`, {
        headers: { [INTERNAL_TOKEN_HEADER]: token, ...headers },
      });
      const text = await response.text();
      const body = (text === '' ? null : JSON.parse(text)) as T;
      return { status: response.status, headers: response.headers, body };
    },
    graphsBuilt: async () => {
      const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
      const counts = metrics.matchAll(/^quote_graphs_built_total\{.*\} (\d+)$/gm);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    },
    refused: async (request, permissions = ['quotes']) => {
      const { status, body } = await post<ErrorBody>(request, permissions);
      return { status, body };
    },
    open: (stateToken) => new SealedTokens(SEALING_KEYS).open<QuoteState>('quote', stateToken),
    coverageRequests: (provider) =>
      onramps.requests.filter(({ path }) => path === `/${provider}/v1/coverage`).length,
    quoteRequests: (provider) =>
      onramps.requests.filter(({ path }) => path === `/${provider}/v1/quotes`).length,
    quoterRequests: () => node.quoterRequests(),
    stop: async () => {
      await service.shutdown({ graceMs: 0 });
      await Promise.all([
        onramps.stop(),
        node.stop(),
        chain.stop(),
        otherChain?.stop(),
        database.drop(),
      ]);
    },
  };
  await eventually(() => projectionsHold(stand));
  return stand;
}

/** Pins the base fee, which falls with each empty block: a slow machine has mined more of them until now. */
async function pinBaseFee({ rpcUrl }: TestChain): Promise<void> {
  await rpcCall(rpcUrl, 'evm_setIntervalMining', [0]);
  await rpcCall(rpcUrl, 'anvil_setNextBlockBaseFeePerGas', [toHex(parseGwei('1'))]);
  await rpcCall(rpcUrl, 'evm_mine', []);
}

async function projectionsHold({ database, service }: QuoteStand): Promise<void> {
  const { DataSource } = await import('typeorm');
  const rows: { assets: string; prices: string }[] = await service.app
    .get(DataSource)
    .query(
      `SELECT (SELECT count(*) FROM catalogue_assets) AS assets, (SELECT count(*) FROM prices) AS prices`,
    );
  const [row] = rows;
  const isComplete =
    Number(row?.assets) === Object.keys(ASSETS).length &&
    Number(row?.prices) === Object.keys(PRICES).length;
  if (!isComplete) throw new Error(`${database.database.schema} has not caught up`);
}

export const fixedInput = (asset: string, amount: string, output: string, rest: object = {}) => ({
  request: {
    kind: 'FIXED_INPUT',
    fixed_input_amount: { asset, amount },
    output_asset: output,
  },
  ...rest,
});

export const fixedOutput = (asset: string, amount: string, input: string, rest: object = {}) => ({
  request: {
    kind: 'FIXED_OUTPUT',
    fixed_output_amount: { asset, amount },
    input_asset: input,
  },
  ...rest,
});
