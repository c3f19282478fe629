import { expect } from '@jest/globals';
import { TOPICS } from '@bascule/contracts';
import type { MinedWithdrawal, TokenIdentifier } from '@bascule/contracts';
import { INTERNAL_TOKEN_HEADER } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { startService } from '@bascule/service-host';
import type { RunningService } from '@bascule/service-host';
import { deployDevelopmentChain, developmentAccounts } from '@bascule/local-stack';
import { TRANSPORT, createEnvelope, createEventLog } from '@bascule/messaging';
import type { Transport } from '@bascule/messaging';
import { developmentAddresses, withdrawalCall } from '@bascule/solidity';
import {
  createServiceDatabase,
  eventually,
  internalTokens,
  startCapturingServer,
  startTestChain,
} from '@bascule/testing';
import type { CannedResponse, ServiceDatabase, TestChain } from '@bascule/testing';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { playOn } from './chain-player.fixture.js';
import type { ChainPlayer } from './chain-player.fixture.js';
import { withdrawalService } from '../index.js';
import type { TestPayment } from './payments.fixture.js';
import { authorizationOf } from '../accounts/wallet/authorization.js';

const [, , , relayer, , , feeReceiver] = developmentAccounts;
const CHAIN = 'alphanet';

export const ORGANISATION = '0190b2c3-0000-7000-8000-000000000001';
export const FEE_RECEIVER = feeReceiver.address;
export const RELAYER = relayer.address;
const tokenOf = (address: string, chain = CHAIN): TokenIdentifier =>
  `${chain}:${address.toLowerCase() as Hex}`;
export const USDC = tokenOf(developmentAddresses.usdc);
export const USDT = tokenOf(developmentAddresses.usdt);
/** Known, but never priced. */
export const WBTC = tokenOf(developmentAddresses.wbtc);
export const ETHER: TokenIdentifier = `${CHAIN}:0x`;

export const BETA_USDC = tokenOf(developmentAddresses.usdc, 'betanet');
export const BETA_USDT = tokenOf(developmentAddresses.usdt, 'betanet');
export const BETA_ETHER: TokenIdentifier = 'betanet:0x';

const ASSETS = [
  { id: USDC, symbol: 'USDC', decimals: 6, usd: '1' },
  { id: USDT, symbol: 'USDT', decimals: 6, usd: '0.9998' },
  { id: ETHER, symbol: 'ETH', decimals: 18, usd: '3000' },
  { id: WBTC, symbol: 'WBTC', decimals: 8, usd: null },
];
const BETA_ASSETS = [
  { id: BETA_USDC, symbol: 'USDC', decimals: 6, usd: '1' },
  { id: BETA_USDT, symbol: 'USDT', decimals: 6, usd: '0.9998' },
  { id: BETA_ETHER, symbol: 'ETH', decimals: 18, usd: '3000' },
];

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface NodeCall {
  id: number;
  method: string;
}
/** Returns a response in place of the node's; a promise holds the call up. */
export type NodeIntercept = (
  call: NodeCall,
) => CannedResponse | null | Promise<CannedResponse | null>;

export interface StageOptions {
  /** Down unless it is given. */
  betanet?: TestChain;
  attesterUrls?: string;
  /** Assets without a price, beside WBTC. */
  unpriced?: readonly TokenIdentifier[];
  /** Further variables of the service. */
  variables?: Record<string, string>;
}

/** The service with short intervals; leases keep their length, so that a busy machine does not lose them. */
const fastWithdrawalService: typeof withdrawalService = {
  ...withdrawalService,
  parseConfig: (env) => ({
    ...withdrawalService.parseConfig(env),
    timing: { pollMs: 100, checkMs: { min: 100, max: 1_000 } },
  }),
};

/** Starts the service with a real database, a real chain whose node can refuse transactions, and a second chain. */
export async function startStage({
  betanet,
  attesterUrls,
  unpriced = [],
  variables = {},
}: StageOptions = {}) {
  const chain = await startTestChain({ name: CHAIN });
  await deployDevelopmentChain(chain);
  const database = await createServiceDatabase('withdrawal');
  await createEventLog(database.adminUrl);
  const tokens = internalTokens();
  let refusesTransactions = false;
  let interceptCall: NodeIntercept = () => null;
  const node = await startCapturingServer(async ({ body }) => {
    if (refusesTransactions && body.includes('eth_sendRawTransaction')) return { status: 503 };
    const intercepted = await interceptCall(JSON.parse(body.toString()) as NodeCall);
    if (intercepted !== null) return intercepted;
    const answer = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return { headers: { 'content-type': 'application/json' }, body: await answer.text() };
  });
  const environment = {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    SHUTDOWN_GRACE_MS: '0',
    DATABASE_URL: database.database.url,
    // A thousand requests at once wait for a connection at most 5 s.
    DATABASE_POOL_SIZE: '8',
    CHAINS: 'alphanet,betanet',
    RPC_URLS_ALPHANET: node.url,
    RPC_URLS_BETANET: betanet?.rpcUrl ?? 'http://127.0.0.1:9',
    ...(attesterUrls === undefined ? {} : { ATTESTER_URLS: attesterUrls }),
    STATE_TOKEN_KEYS: JSON.stringify([{ kid: 'a', k: Buffer.alloc(32, 7).toString('base64url') }]),
    RELAYER_PRIVATE_KEY: relayer.privateKey,
    FEE_RECEIVER,
    PRICE_MAX_AGE_MS: '3600000',
    ...tokens.env,
    ...variables,
  };
  await withdrawalService.migrate?.(withdrawalService.parseConfig(environment));
  let elsewhere: string | undefined;
  let service: RunningService = await startService(fastWithdrawalService, environment);
  const player = playOn(chain);

  const publish = async (topic: keyof typeof TOPICS, type: string, key: string, data: unknown) => {
    const envelope = createEnvelope(
      { topic: TOPICS[topic], type, key, data },
      { source: 'test', environment: 'development' },
    );
    const value = Buffer.from(JSON.stringify(envelope));
    await service.app
      .get<Transport>(TRANSPORT)
      .publish([{ topic: TOPICS[topic].name, key, headers: {}, value }]);
  };
  const reported = new Map<string, readonly MinedWithdrawal[]>();
  const publishPrice = (asset: TokenIdentifier, usd: string, observedAt = new Date()) => {
    const observed_at = observedAt.toISOString();
    const price = { version: 1, asset, usd, observed_at, sources: [] };
    return publish('price', 'price.observed', asset, price);
  };
  const assets = (betanet ? [...ASSETS, ...BETA_ASSETS] : ASSETS).map((asset) =>
    unpriced.includes(asset.id) ? { ...asset, usd: null } : asset,
  );
  for (const { id, symbol, decimals, usd } of assets) {
    const [name, address = '0x'] = id.split(':');
    const asset = { chain: name, address, name: symbol, symbol, decimals, image_url: '' };
    const isNative = id === ETHER || id === BETA_ETHER;
    const listed = { version: 1, id, listed: true, asset: { ...asset, is_native: isNative } };
    await publish('catalogue', 'asset.listed', id, listed);
    if (usd !== null) await publishPrice(id, usd);
  }
  await eventually(() => expectProjected(database, assets));

  return {
    ...player,
    chain,
    database,
    publish,
    publishPrice,
    refuseTransactions: (refuses: boolean) => {
      refusesTransactions = refuses;
    },
    useRelayerNonce: () => useRelayerNonce(player),
    /** Answers calls in place of the node wherever the function returns a response. */
    interceptNode: (intercept: NodeIntercept = () => null) => {
      interceptCall = intercept;
    },
    restart: async (change: Record<string, string> = {}) => {
      await service.shutdown();
      service = await startService(fastWithdrawalService, { ...environment, ...change });
    },
    service: () => service,
    /** Starts another process of the service, which the caller stops. */
    startAnother: () => startService(fastWithdrawalService, environment),
    environment,
    /** Calls go to another process from now on; the one in here stops. */
    async handOver(url: string): Promise<void> {
      if (elsewhere === undefined) await service.shutdown();
      elsewhere = url;
    },
    async call<T>(
      path: string,
      body?: object,
      orgId = ORGANISATION,
      headers: Record<string, string> = {},
      {
        at = elsewhere ?? service.url,
        signal,
        caller = {},
      }: { at?: string; signal?: AbortSignal; caller?: Partial<Caller> } = {},
    ): Promise<Answer<T>> {
      const permissions = ['payments:read', 'payments:write', 'balances'] as const;
      const token = await tokens.token({ orgId, permissions: [...permissions], ...caller });
      const answer = await fetch(`${at}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        signal: signal ?? null,
        headers: {
          [INTERNAL_TOKEN_HEADER]: token,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as T };
    },
    /**
     * Submits a withdrawal directly, as any holder of the signature may, and returns its transaction. The payment service
     * reports it, unless told otherwise.
     */
    async submitDirectly(
      payment: TestPayment,
      typedData: string,
      signature: Hex,
      { isReported = true } = {},
    ): Promise<Hex> {
      const authorization = authorizationOf(typedData);
      const { transactionHash } = await player.send(
        withdrawalCall(payment.declaration, authorization, signature, {
          wallet: payment.wallet,
          isDeployed: false,
          multicall3: developmentAddresses.multicall3,
        }),
      );
      if (isReported) {
        const { nonce } = authorization;
        const landed = { chain: CHAIN, nonce: nonce.toString(), transaction_hash: transactionHash };
        const mined_withdrawals = [landed, ...(reported.get(payment.id) ?? [])];
        reported.set(payment.id, mined_withdrawals);
        const state = { ...payment.state, mined_withdrawals };
        await publish('payment', 'payment.updated', payment.id, state);
      }
      return transactionHash;
    },
    /** Moves the recorded expiry of withdrawals to a minute ago, and makes them due. */
    async letExpire(withdrawIds: readonly string[]): Promise<void> {
      await database.rows(
        `UPDATE withdrawals SET expires_at = now() - interval '1 minute', due_at = now()
         WHERE id = ANY($1::uuid[])`,
        [withdrawIds],
      );
    },
    stop: async () => {
      if (elsewhere === undefined) await service.shutdown();
      await node.stop();
      await database.drop();
      await chain.stop();
    },
  };
}

async function expectProjected({ rows }: ServiceDatabase, assets: typeof ASSETS): Promise<void> {
  const ids = (statement: string) =>
    rows<{ id: string }>(statement).then((found) => found.map(({ id }) => id).sort());
  const priced = assets.filter(({ usd }) => usd !== null);
  expect(await ids('SELECT id FROM assets')).toEqual(assets.map(({ id }) => id).sort());
  expect(await ids('SELECT asset AS id FROM prices')).toEqual(priced.map(({ id }) => id).sort());
}

/** Mines another transaction with the nonce of the relayer's next one, and final blocks after it. */
export async function useRelayerNonce({ send, client }: ChainPlayer): Promise<void> {
  const account = privateKeyToAccount(relayer.privateKey);
  await send({ to: account.address }, account);
  await client.mine({ blocks: 3 });
}

export type Stage = Awaited<ReturnType<typeof startStage>>;
