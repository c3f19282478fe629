import { startService, type RunningService } from '@bascule/service-host';
import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses, orderId, serializeOrder, type Order } from '@bascule/solidity';
import {
  eventually,
  startLyingNode,
  startTestChain,
  type LyingNode,
  type TestChain,
} from '@bascule/testing';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { attesterService } from '../index.js';
import { OrderBook } from '../testing/order-book.fixture.js';
import { PassingClock } from '../testing/passing-clock.fixture.js';
import { AttestationService, MAX_ORDERS_AT_ONCE, UNITS } from './attestation.service.js';
import { FinalBlocksClient } from './final-blocks.client.js';
import { Refusal } from './refusal.js';

const { intentEscrow: escrow } = developmentAddresses;
const AMOUNT = 5_000_000n;
const [attesterAccount] = developmentAccounts.filter(({ role }) => role.endsWith('-attester'));
/** Longer than a block of any chain here. */
const BLOCK_MS = 10_000;

describe('an attester that strangers flood', () => {
  let chains: TestChain[];
  let book: OrderBook;
  let nodes: LyingNode[];
  let attester: RunningService;
  let clock: PassingClock;

  beforeAll(async () => {
    chains = await Promise.all([
      startTestChain({ name: 'alphanet', chainId: 31337 }),
      startTestChain({ name: 'betanet', chainId: 31338 }),
    ]);
    const [origin, destination] = chains;
    if (!origin || !destination) throw new Error('no chains');
    book = new OrderBook(origin, destination);
    await book.begin();
  }, 180_000);
  beforeEach(async () => {
    clock = new PassingClock();
    nodes = await Promise.all(chains.map(({ rpcUrl }) => startLyingNode(rpcUrl)));
  });
  afterEach(async () => {
    await attester.shutdown();
    await Promise.all(nodes.map((node) => node.stop()));
    jest.restoreAllMocks();
  });
  afterAll(() => Promise.all(chains.map((chain) => chain.stop())));

  const start = async (environment: NodeJS.ProcessEnv = {}): Promise<void> => {
    attester = await startService(attesterService, {
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'error',
      SHUTDOWN_GRACE_MS: '0',
      ATTESTER_PRIVATE_KEY: attesterAccount?.privateKey,
      CHAINS: 'alphanet,betanet',
      RPC_URLS_ALPHANET: nodes[0]?.url,
      RPC_URLS_BETANET: nodes[1]?.url,
      ...environment,
    });
  };
  const filled = async (): Promise<Order> => {
    const order = await book.open(AMOUNT);
    await book.origin.mine({ blocks: 2 });
    await book.fill(order);
    await book.destination.mine({ blocks: 2 });
    return order;
  };
  const invented = (order: Order, index: number): Order => ({
    ...order,
    nonce: 1_000_000n + BigInt(index),
  });
  const requests = (method: string): number =>
    nodes.reduce((sum, node) => sum + (node.requests.get(method) ?? 0), 0);
  const answerTo = async (order: Order, from: string): Promise<string> => {
    const response = await fetch(`${attester.url}/v1/attestations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ escrow, order: serializeOrder(order) }),
    });
    const body = (await response.json()) as { outcome?: string; error?: { code: string } };
    return `${response.status} ${body.outcome ?? body.error?.code ?? ''}`;
  };

  it('refuses an address that asks for many invented orders, and answers others', async () => {
    await start({ TRUSTED_HOPS: '1', RATE_LIMIT_CLIENT_REQUESTS: String(3 * UNITS.unknown) });
    const order = await filled();
    const [stranger, solver] = ['203.0.113.9', '203.0.113.10'];
    const answers: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      answers.push(await answerTo(invented(order, index), stranger));
    }
    expect(answers).toEqual(['409 not_open', '409 not_open', '409 not_open', '429 rate_limited']);

    // An open order costs little, however often it is asked for.
    for (let round = 0; round < UNITS.unknown; round += 1) {
      expect(await answerTo(order, solver)).toBe('200 FILLED');
    }
    clock.pass(60_000);
    expect(await answerTo(invented(order, 5), stranger)).toBe('409 not_open');
  });

  it('asks an endpoint once for each invented order in the time of a block', async () => {
    await start();
    const order = await filled();
    for (let index = 0; index < 10; index += 1) {
      expect(await answerTo(invented(order, index), '')).toBe('409 not_open');
    }
    expect(requests('eth_call')).toBe(10);
    expect(requests('eth_blockNumber')).toBe(1);
    expect(requests('eth_getBlockByNumber')).toBe(1);

    clock.pass(BLOCK_MS);
    expect(await answerTo(order, '')).toBe('200 FILLED');
    expect(requests('eth_blockNumber')).toBe(3);
  });

  it('attests orders known as open while invented ones take all other places', async () => {
    await start();
    const order = await filled();
    expect(await answerTo(order, '')).toBe('200 FILLED');
    const id = orderId(order, escrow).slice(2);
    let held = 0;
    const end = Promise.withResolvers<never>();
    const finalBlocks = attester.app.get(FinalBlocksClient);
    const call = finalBlocks.call.bind(finalBlocks);
    jest.spyOn(finalBlocks, 'call').mockImplementation((chain, to, data) => {
      if (data.includes(id)) return call(chain, to, data);
      held += 1;
      return end.promise;
    });
    const service = attester.app.get(AttestationService);
    const asked = Array.from({ length: MAX_ORDERS_AT_ONCE.all }, (_, index) =>
      service
        .attest({ escrow, order: invented(order, index) }, [])
        .catch((error: unknown) => error),
    );
    await eventually(() => {
      if (held < MAX_ORDERS_AT_ONCE.unreserved) throw new Error(`${held} places are taken`);
    });

    expect(await answerTo(order, '')).toBe('200 FILLED');
    expect(await answerTo(invented(order, 1_000), '')).toBe('503 busy');

    end.reject(new Refusal('chain_unavailable', 'The test has ended.'));
    const codes = (await Promise.all(asked)).map((each) => each instanceof Refusal && each.code);
    expect(codes.filter((code) => code === 'busy')).toHaveLength(
      MAX_ORDERS_AT_ONCE.all - MAX_ORDERS_AT_ONCE.unreserved,
    );
  });
});
