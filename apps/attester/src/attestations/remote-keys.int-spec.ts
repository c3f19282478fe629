import { Chains, chainDefinitions } from '@bascule/chain';
import { developmentAccounts, freePort } from '@bascule/local-stack';
import { startService, type RunningService } from '@bascule/service-host';
import { startStandInKms, type StandInKms } from '@bascule/signers/testing';
import {
  attesterOracleAbi,
  developmentAddresses,
  FILL_OUTCOMES,
  orderId,
  serializeOrder,
  type Order,
} from '@bascule/solidity';
import { eventually, startTestChain, type TestChain } from '@bascule/testing';
import { collectAttestation } from '@bascule/venues';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { attesterService } from '../index.js';
import { OrderBook } from '../testing/order-book.fixture.js';

const { intentEscrow: escrow, attesterOracle: oracle } = developmentAddresses;
const attesterAccounts = developmentAccounts.filter(({ role }) => role.endsWith('-attester'));
const PROVIDERS = ['aws-kms', 'gcp-kms', 'azure-kv'] as const;

let alphanet: TestChain;
let betanet: TestChain;
let services: RunningService[] = [];
let stores: StandInKms[];
let book: OrderBook;
let chains: Chains;

/** The n-th attester of the oracle; its key is kept by the n-th provider. */
const keptKey = (index: number) => {
  const [store, provider, account] = [stores[index], PROVIDERS[index], attesterAccounts[index]];
  if (!store || !provider || !account) throw new Error(`attester ${index} is missing`);
  return { store, account, location: store.locations[provider] };
};

const start = (location: string, environment: Readonly<Record<string, string>> = {}) =>
  startService(attesterService, {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    SHUTDOWN_GRACE_MS: '0',
    ATTESTER_PRIVATE_KEY: location,
    CHAINS: 'alphanet,betanet',
    RPC_URLS_ALPHANET: alphanet.rpcUrl,
    RPC_URLS_BETANET: betanet.rpcUrl,
    ...environment,
  });

async function started(index: number): Promise<RunningService> {
  const { store, location, account } = keptKey(index);
  const service = await start(`${location}#${account.address}`, store.environment);
  services.push(service);
  return service;
}

async function ask({ url }: RunningService, order: Order) {
  const response = await fetch(`${url}/v1/attestations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ escrow, order: serializeOrder(order) }),
  });
  const answered: unknown = await response.json();
  return { status: response.status, body: answered };
}

async function filledForGood(): Promise<Order> {
  const order = await book.open(5_000_000n);
  await book.origin.mine({ blocks: 2 });
  await book.fill(order);
  await book.destination.mine({ blocks: 2 });
  return order;
}

beforeAll(async () => {
  [alphanet, betanet] = await Promise.all([
    startTestChain({ name: 'alphanet', chainId: 31337 }),
    startTestChain({ name: 'betanet', chainId: 31338 }),
  ]);
  stores = [];
  for (const { privateKey } of attesterAccounts) {
    stores.push(await startStandInKms({ privateKey, port: await freePort() }));
  }
  chains = new Chains({
    chains: [alphanet, betanet].map(({ rpcUrl, chainId }) => {
      const definition = Object.values(chainDefinitions).find((each) => each.chainId === chainId);
      if (!definition) throw new Error(`chain ${chainId} is not defined`);
      return { definition, rpcUrls: [rpcUrl] };
    }),
  });
  book = new OrderBook(alphanet, betanet);
  await book.begin();
}, 180_000);

afterEach(async () => {
  stores.forEach((store) => store.misbehave());
  await Promise.all(services.map((service) => service.shutdown()));
  services = [];
});

afterAll(async () => {
  // The last that started restores the credentials of the process first.
  for (const store of stores.toReversed()) await store.stop();
  await Promise.all([alphanet, betanet].map((chain) => chain.stop()));
});

describe('an attester whose key is kept elsewhere', () => {
  it('attests with the others for the oracle, each by another provider', async () => {
    const order = await filledForGood();
    const attesters = [await started(0), await started(1), await started(2)];
    const agreed = await collectAttestation({
      urls: attesters.map(({ url }) => url),
      order,
      escrow,
      chain: chains.get('alphanet'),
    });
    if (!agreed) throw new Error('attesters did not agree');
    const id = orderId(order, escrow);
    await book.mined(book.origin, {
      address: oracle,
      abi: attesterOracleAbi,
      functionName: 'attest',
      args: [id, FILL_OUTCOMES.filled, agreed.filler, agreed.signatures],
    });
    expect(agreed.outcome).toBe('FILLED');
    const signed = stores.flatMap(({ requests }) => requests.map(({ operation }) => operation));
    expect(signed.filter((operation) => operation === 'sign')).toHaveLength(3);
  });

  it('answers 503 to a try again while its provider is down, and attests after it', async () => {
    const order = await filledForGood();
    const attester = await started(0);
    const down = { status: 503, code: 'Unavailable' };
    keptKey(0).store.misbehave(down, down, down);
    expect(await ask(attester, order)).toMatchObject({
      status: 503,
      body: { error: { code: 'signer_unavailable', retry_after_ms: 5_000 } },
    });
    expect(await ask(attester, order)).toMatchObject({ status: 200, body: { outcome: 'FILLED' } });
  });

  it('starts while its provider is down, answers 503 until its key is opened, and attests then', async () => {
    const order = await filledForGood();
    const { store } = keptKey(0);
    store.misbehave(...Array.from({ length: 1_000 }, () => ({ status: 503, code: 'Unavailable' })));
    const attester = await started(0);
    expect(await ask(attester, order)).toMatchObject({
      status: 503,
      body: { error: { code: 'signer_unavailable', retry_after_ms: 5_000 } },
    });
    store.misbehave();
    await eventually(async () => {
      const answer = await ask(attester, order);
      expect(answer).toMatchObject({ status: 200, body: { outcome: 'FILLED' } });
    });
  });

  it('gives no signature of another key, nor one that it may not use', async () => {
    const order = await filledForGood();
    const attester = await started(0);
    for (const how of [
      'signs with another key',
      { status: 400, code: 'DisabledException' },
    ] as const) {
      keptKey(0).store.misbehave(how);
      const { status, body } = await ask(attester, order);
      expect(status).toBe(503);
      expect(body).toMatchObject({ error: { code: 'signer_refused' } });
      expect(JSON.stringify(body)).not.toContain('retry_after_ms');
    }
  });

  it('does not start with another key than its address names, or without its provider', async () => {
    const { location, store } = keptKey(0);
    const other = keptKey(1).account.address;
    await expect(start(`${location}#${other}`, store.environment)).rejects.toThrow(
      `not ${other} as configured`,
    );
    const absent = { AWS_ENDPOINT_URL_KMS: 'http://127.0.0.1:9', SIGNER_TIMEOUT_MS: '500' };
    await expect(start(location, absent)).rejects.toThrow(/aws-kms: public_key failed.*add #0x…/);
  });
});
