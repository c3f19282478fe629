import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService } from '@bascule/service-host';
import type { RunningService } from '@bascule/service-host';
import { deployDevelopmentChain, developmentAccounts, rpcCall } from '@bascule/local-stack';
import { createDataSource, pendingSchemaChanges } from '@bascule/persistence';
import { createOnrampProviders, parseProviders } from '@bascule/providers';
import type { OnrampCheckoutRequest, OnrampProvider } from '@bascule/providers';
import { MemoryTokenStore, onrampProviderContract } from '@bascule/providers/testing';
import { developmentAddresses } from '@bascule/solidity';
import {
  createServiceDatabase,
  eventually,
  startCapturingServer,
  startTestChain,
} from '@bascule/testing';
import type {
  CapturedRequest,
  CapturingServer,
  ServiceDatabase,
  TestChain,
} from '@bascule/testing';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { createPublicClient, erc20Abi, http } from 'viem';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { sandboxProviderService } from './index.js';
import { entities, migrations } from './persistence/persistence.config.js';

const [, , , , firstProvider, secondProvider] = developmentAccounts;
const CHAIN = 'alphanet';
const USDC = `${CHAIN}:${developmentAddresses.usdc.toLowerCase() as `0x${string}`}` as const;

let chain: TestChain;
let database: ServiceDatabase;
let partner: CapturingServer;
let service: RunningService;
let providers: Map<string, OnrampProvider>;
/** Number of times that the partner answers 500. */
let partnerFailures = 0;

const simulatedProvider = (name: string, walletPrivateKey: string) => ({
  name,
  api_key: `key of ${name}`,
  callback_url: `${partner.url}/providers/${name}/callbacks`,
  callback_secret: `secret of ${name}`,
  wallet_private_key: walletPrivateKey,
});

const environment = () => ({
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'warn',
  DATABASE_URL: database.database.url,
  CHAINS: CHAIN,
  RPC_URLS_ALPHANET: chain.rpcUrl,
  SHUTDOWN_GRACE_MS: '0',
  SANDBOX_PROVIDERS: JSON.stringify([
    simulatedProvider('swiftramp', firstProvider.privateKey),
    simulatedProvider('thriftramp', secondProvider.privateKey),
  ]),
});

const partnerConfig = (name: string, baseUrl: string, timeoutMs = 5_000) => ({
  name,
  adapter: 'sandbox',
  base_url: baseUrl,
  api_key: `key of ${name}`,
  callback_secret: `secret of ${name}`,
  timeout_ms: timeoutMs,
});

function adapter(name: string, baseUrl: string, timeoutMs?: number): OnrampProvider {
  const config = parseProviders(JSON.stringify([partnerConfig(name, baseUrl, timeoutMs)]));
  const provider = createOnrampProviders(config, new MemoryTokenStore()).get(name);
  if (!provider) throw new Error(`no adapter ${name}`);
  return provider;
}

async function start(): Promise<void> {
  service = await startService(sandboxProviderService, environment());
  providers = new Map(
    ['swiftramp', 'thriftramp'].map((name) => [name, adapter(name, `${service.url}/${name}`)]),
  );
}

const providerNamed = (name: string): OnrampProvider => {
  const provider = providers.get(name);
  if (!provider) throw new Error(`no provider ${name}`);
  return provider;
};

let started: Promise<void> | undefined;
const startOnce = () => (started ??= startAll());
async function startAll(): Promise<void> {
  chain = await startTestChain({ name: CHAIN });
  await deployDevelopmentChain(chain);
  database = await createServiceDatabase('sandbox_provider');
  partner = await startCapturingServer(() => {
    if (partnerFailures === 0) return {};
    partnerFailures -= 1;
    return { status: 500 };
  });
  await sandboxProviderService.migrate?.(sandboxProviderService.parseConfig(environment()));
  await start();
}

beforeAll(startOnce, 120_000);

afterAll(async () => {
  await service.shutdown();
  await partner.stop();
  await database.drop();
  await chain.stop();
});

const sold = (fiatAmount = '100') =>
  ({ fiat: 'usd', fiatAmount, method: 'CREDIT_CARD', token: USDC, tokenDecimals: 6 }) as const;

async function order(
  name = 'swiftramp',
  change: Partial<OnrampCheckoutRequest> = {},
): Promise<OnrampCheckoutRequest & { url: string; checkoutId: string; quoted: bigint }> {
  const asked = { ...sold(), ...change };
  const quote = await providerNamed(name).quote(asked);
  const request = {
    ...asked,
    paymentId: uuidv7(),
    providerQuoteId: quote.providerQuoteId,
    depositAddress: privateKeyToAddress(generatePrivateKey()),
  };
  const { url, checkoutId } = await providerNamed(name).createCheckout(request);
  return { ...request, url, checkoutId, quoted: quote.deliveryAmount };
}

const post = (url: string, body?: object) =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

const callbacksOf = (paymentId: string): CapturedRequest[] =>
  partner.requests.filter((request) => request.body.includes(paymentId));

const balanceOf = (address: string) =>
  createPublicClient({ transport: http(chain.rpcUrl) }).readContract({
    address: developmentAddresses.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address as Address],
  });

const delivered = (name: string, placed: Awaited<ReturnType<typeof order>>) =>
  eventually(async () => {
    const status = await providerNamed(name).status(placed);
    expect(status.status).toBe('DELIVERED');
    return status;
  });

for (const name of ['swiftramp', 'thriftramp']) {
  onrampProviderContract('sandbox', name, async () => {
    await startOnce();
    return {
      provider: providerNamed(name),
      baseUrl: `${service.url}/${name}`,
      providerAt: (baseUrl, timeoutMs) => adapter(name, baseUrl, timeoutMs),
      sold: sold(),
      tooLow: '1',
      tooHigh: '9000',
      notSold: `${CHAIN}:${developmentAddresses.wbtc.toLowerCase() as `0x${string}`}`,
      depositAddress: privateKeyToAddress(generatePrivateKey()),
      orderedBy: 'checkout',
      begin: async ({ url }) => void (await fetch(url)),
      pay: async ({ url }) => void (await post(`${url}/pay`)),
      decline: async ({ url }) => void (await post(`${url}/decline`)),
      eventually: (assertion) => eventually(assertion, { timeoutMs: 30_000 }),
      callback: async (paymentId) => {
        const request = callbacksOf(paymentId).at(-1);
        if (!request) throw new Error('no callback yet');
        return { headers: request.headers, rawBody: request.body };
      },
      stop: async () => undefined,
    };
  });
}

describe('the sandbox providers', () => {
  it.each([
    ['sandbox-kyc', { kind: 'kyc', provider_id: 'swiftramp' }],
    ['sandbox-location', { kind: 'geolocation' }],
    ['sandbox-destination', { kind: 'destination' }],
    ['sandbox-refused', { kind: 'provider' }],
  ])('refuse the customer %s at the quote and at the checkout', async (id, issue) => {
    const provider = providerNamed('swiftramp');
    const refused = {
      code: 'rejected',
      retryable: false,
      issues: [{ ...issue, message: expect.stringMatching(/^swiftramp: The /) }],
    };
    await expect(provider.quote({ ...sold(), customer: { id } })).rejects.toMatchObject(refused);
    const { providerQuoteId } = await provider.quote({ ...sold(), customer: { id: 'a customer' } });
    const checkout = provider.createCheckout({
      ...{ ...sold(), customer: { id }, providerQuoteId, paymentId: uuidv7() },
      depositAddress: privateKeyToAddress(generatePrivateKey()),
    });
    await expect(checkout).rejects.toMatchObject(refused);
  });

  it('have entities that match their migrations', async () => {
    const dataSource = createDataSource({
      database: database.database,
      entities,
      migrations,
    });
    await dataSource.initialize();
    try {
      expect(await pendingSchemaChanges(dataSource)).toEqual([]);
    } finally {
      await dataSource.destroy();
    }
  });

  it('refuse requests without a key', async () => {
    const answer = await fetch(`${service.url}/swiftramp/v1/coverage`, {
      headers: { authorization: 'Bearer key of thriftramp' },
    });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: { code: 'unauthorized' } });
  });

  it('differ in price', async () => {
    const [swift, thrift] = await Promise.all(
      ['swiftramp', 'thriftramp'].map((name) => providerNamed(name).quote(sold())),
    );
    expect(thrift?.deliveryAmount).toBeGreaterThan(swift?.deliveryAmount ?? 0n);
    expect(swift?.latencySeconds).toBeLessThan(thrift?.latencySeconds ?? 0);
  });

  it('deliver exactly what was quoted to the address of the order', async () => {
    const placed = await order();
    const page = await fetch(placed.url);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain(placed.depositAddress.toLowerCase());
    expect((await providerNamed('swiftramp').status(placed)).status).toBe('AWAITING_PAYMENT');
    expect((await post(`${placed.url}/pay`)).status).toBe(303);
    const status = await delivered('swiftramp', placed);
    expect(status.deliveredAmount).toBe(placed.quoted);
    expect(await balanceOf(placed.depositAddress)).toBe(placed.quoted);
  });

  it('sell only USDC', async () => {
    for (const provider of providers.values()) {
      expect((await provider.coverage()).tokens).toEqual([{ token: USDC }]);
    }
  });

  it('list allowed places of provider and payment methods', async () => {
    const [swift, thrift] = await Promise.all(
      [...providers.values()].map((each) => each.coverage()),
    );
    expect(swift?.places).toEqual({ except: ['CAN-QC'] });
    expect(thrift?.places?.only).toEqual(expect.arrayContaining(['DEU', 'GBR', 'USA']));
    const ach = thrift?.fiats
      .flatMap(({ methods }) => methods)
      .find(({ method }) => method === 'ACH');
    expect(ach?.places).toEqual({ only: ['USA'] });
  });

  it('deliver once when the customer pays twice around a restart', async () => {
    const orders = await Promise.all([order(), order(), order()]);
    await Promise.all(orders.flatMap(({ url }) => [post(`${url}/pay`), post(`${url}/pay`)]));
    for (let restart = 0; restart < 3; restart += 1) {
      await service.shutdown();
      await start();
    }
    for (const placed of orders) {
      await delivered('swiftramp', placed);
      expect(await balanceOf(placed.depositAddress)).toBe(placed.quoted);
    }
  });

  it('take the money of a late customer only some time after the decision to pay', async () => {
    const placed = await order('swiftramp', { customer: { id: 'sandbox-late' } });
    const dataSource = service.app.get(DataSource);
    const row = async () => {
      const rows: { status: string; seconds: number | null; paid_at: Date | null }[] =
        await dataSource.query(
          `SELECT status, paid_at,
             extract(epoch FROM due_at - payment_started_at)::integer AS seconds
           FROM orders WHERE id = $1`,
          [placed.checkoutId],
        );
      return rows[0];
    };
    // Once before the page was seen, and once after.
    expect((await post(`${placed.url}/pay`)).status).toBe(303);
    expect(await (await fetch(placed.url)).text()).not.toContain('<form');
    expect((await post(`${placed.url}/pay`)).status).toBe(303);
    expect((await post(`${placed.url}/decline`)).status).toBe(409);
    expect(await row()).toEqual({ status: 'awaiting_payment', seconds: 45, paid_at: null });
    expect(await providerNamed('swiftramp').status(placed)).toEqual({
      status: 'AWAITING_PAYMENT',
    });
    await dataSource.query('UPDATE orders SET due_at = now() WHERE id = $1', [placed.checkoutId]);
    await delivered('swiftramp', placed);
    expect((await row())?.paid_at).toBeInstanceOf(Date);
    expect(await balanceOf(placed.depositAddress)).toBe(placed.quoted);
  });

  it('rebroadcast transfers that a reorg removed', async () => {
    const placed = await order();
    await post(`${placed.url}/pay`);
    const snapshot = await rpcCall(chain.rpcUrl, 'evm_snapshot', []);
    await delivered('swiftramp', placed);
    await rpcCall(chain.rpcUrl, 'evm_revert', [snapshot]);
    expect(await balanceOf(placed.depositAddress)).toBe(0n);
    await eventually(async () =>
      expect(await balanceOf(placed.depositAddress)).toBe(placed.quoted),
    );
  });

  it('repeat a callback with the same bytes until a 2xx response', async () => {
    const placed = await order();
    partnerFailures = 2;
    await post(`${placed.url}/decline`);
    await eventually(() => expect(callbacksOf(placed.paymentId)).toHaveLength(3));
    const bodies = new Set(callbacksOf(placed.paymentId).map(({ body }) => body.toString()));
    expect(bodies.size).toBe(1);
    expect((await providerNamed('swiftramp').status(placed)).status).toBe('FAILED');
  });

  it('simulate misbehaviour on request', async () => {
    const [lost, short, failed] = await Promise.all([order(), order(), order()]);
    await post(`${lost.url}/simulate`, { lose_callbacks: true });
    await post(`${short.url}/simulate`, { deliver_bps: 9_960 });
    await post(`${failed.url}/simulate`, { outcome: 'refunded' });
    await Promise.all([lost, short, failed].map(({ url }) => post(`${url}/pay`)));
    await delivered('swiftramp', lost);
    expect(callbacksOf(lost.paymentId)).toEqual([]);
    await delivered('swiftramp', short);
    expect(await balanceOf(short.depositAddress)).toBe((short.quoted * 9_960n) / 10_000n);
    await eventually(async () =>
      expect((await providerNamed('swiftramp').status(failed)).status).toBe('REFUNDED'),
    );
    expect((await post(`${failed.url}/pay`)).status).toBe(303);
    expect((await post(`${failed.url}/decline`)).status).toBe(409);
  });
});
