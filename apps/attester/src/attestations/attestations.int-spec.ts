import { Chains, chainDefinitions } from '@bascule/chain';
import { startService, type RunningService } from '@bascule/service-host';
import { developmentAccounts, rpcCall } from '@bascule/local-stack';
import {
  attesterOracleAbi,
  developmentAddresses,
  FILL_OUTCOMES,
  fillAttestationTypedData,
  intentEscrowAbi,
  orderId,
  refundText,
  serializeOrder,
  type Order,
} from '@bascule/solidity';
import {
  eventually,
  startCapturingServer,
  startTestChain,
  type CapturingServer,
  type TestChain,
} from '@bascule/testing';
import { collectAttestation, type AttestationQuestion } from '@bascule/venues';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { erc20Abi, zeroAddress, type Address, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { AttestationService, MAX_ORDERS_AT_ONCE } from './attestation.service.js';
import { Refusal } from './refusal.js';
import { attesterService } from '../index.js';
import { OrderBook, solver, type ChainPlayer } from '../testing/order-book.fixture.js';
import { PassingClock } from '../testing/passing-clock.fixture.js';

const { intentEscrow: escrow, attesterOracle: oracle, usdc } = developmentAddresses;
const keys = developmentAccounts
  .filter(({ role }) => role.endsWith('-attester'))
  .map(({ privateKey }) => privateKey);
const [, , thirdKey] = keys;
const UNITS = 5_000_000n;
const CLOSED = 'http://127.0.0.1:9';
const CLIENT = [{ name: '127.0.0.1', clients: 1 }];
/** Longer than a block of any chain here. */
const BLOCK_MS = 10_000;

let alphanet: TestChain;
let betanet: TestChain;
/** Reports betanet's chain id, but has other blocks. */
let otherBetanet: TestChain;
let attesters: RunningService[];
let disagreeing: RunningService;
let halfReachable: RunningService;
let book: OrderBook;
let chains: Chains;
let clock: PassingClock;

const start = (key: Hex | undefined, betanetUrls: readonly string[]) =>
  startService(attesterService, {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    SHUTDOWN_GRACE_MS: '0',
    ATTESTER_PRIVATE_KEY: key,
    CHAINS: 'alphanet,betanet',
    RPC_URLS_ALPHANET: alphanet.rpcUrl,
    RPC_URLS_BETANET: betanetUrls.join(','),
  });

beforeAll(async () => {
  clock = new PassingClock();
  [alphanet, betanet, otherBetanet] = await Promise.all([
    startTestChain({ name: 'alphanet', chainId: 31337 }),
    startTestChain({ name: 'betanet', chainId: 31338 }),
    startTestChain({ name: 'other-betanet', chainId: 31338 }),
  ]);
  attesters = await Promise.all(keys.map((key) => start(key, [betanet.rpcUrl])));
  disagreeing = await start(thirdKey, [betanet.rpcUrl, otherBetanet.rpcUrl]);
  halfReachable = await start(thirdKey, [betanet.rpcUrl, CLOSED]);
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

afterAll(async () => {
  await Promise.all(
    [...attesters, disagreeing, halfReachable].map((service) => service.shutdown()),
  );
  await Promise.all([alphanet, betanet, otherBetanet].map((chain) => chain.stop()));
  jest.restoreAllMocks();
});

let liars: CapturingServer[] = [];
afterEach(async () => {
  await Promise.all(liars.map((liar) => liar.stop()));
  liars = [];
});

async function ask({ url }: { url: string }, order: Order, inEscrow: Address = escrow) {
  clock.pass(BLOCK_MS);
  const response = await fetch(`${url}/v1/attestations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ escrow: inEscrow, order: serializeOrder(order) }),
  });
  const answered: unknown = await response.json();
  return { status: response.status, body: answered };
}

const first = () => {
  const [attester] = attesters;
  if (!attester) throw new Error('no attester');
  return attester;
};

/** Opened, and final on every node. */
async function openedForGood(): Promise<Order> {
  const order = await book.open(UNITS);
  await book.origin.mine({ blocks: 2 });
  return order;
}

async function filledForGood(): Promise<Order> {
  const order = await openedForGood();
  await book.fill(order);
  await book.destination.mine({ blocks: 2 });
  return order;
}

/** Replaces everything since then with a longer branch. */
async function branchOff(chain: ChainPlayer): Promise<() => Promise<void>> {
  const id = await chain.snapshot();
  return async () => {
    await chain.revert({ id });
    await chain.mine({ blocks: 3 });
  };
}

/** On both chains, so that their clocks stay together. */
async function closeWindow({ fillDeadline }: Order): Promise<void> {
  for (const chain of [book.origin, book.destination]) {
    await chain.setNextBlockTimestamp({ timestamp: fillDeadline + 1n });
    await chain.mine({ blocks: 1 });
  }
}

const collect = (
  order: Order,
  urls: readonly string[],
  more: Partial<AttestationQuestion> = {},
) => {
  clock.pass(BLOCK_MS);
  return collectAttestation({ urls, order, escrow, chain: chains.get('alphanet'), ...more });
};

const urlsOf = (services: readonly RunningService[]) => services.map(({ url }) => url);

/** Claims whatever it likes about the order, with a signature that fits. */
async function liar(
  order: Order,
  key: Hex | undefined,
  claim: { outcome: 'FILLED' | 'UNFILLED'; filler: Address },
): Promise<string> {
  const account = privateKeyToAccount(key ?? generatePrivateKey());
  const id = orderId(order, escrow);
  const outcome = claim.outcome === 'FILLED' ? FILL_OUTCOMES.filled : FILL_OUTCOMES.unfilled;
  const signature = await account.signTypedData(
    fillAttestationTypedData(
      { orderId: id, outcome, filler: claim.filler },
      { chainId: order.originChainId, oracle },
    ),
  );
  const body = JSON.stringify({ order_id: id, ...claim, attester: account.address, signature });
  const server = await startCapturingServer(() => ({ body }));
  liars.push(server);
  return server.url;
}

const attest = (order: Order, agreed: { outcome: string; filler: Address; signatures: Hex[] }) =>
  book.mined(book.origin, {
    address: oracle,
    abi: attesterOracleAbi,
    functionName: 'attest',
    args: [
      orderId(order, escrow),
      agreed.outcome === 'FILLED' ? FILL_OUTCOMES.filled : FILL_OUTCOMES.unfilled,
      agreed.filler,
      agreed.signatures,
    ],
  });

const balanceOnOrigin = (account: Address) =>
  book.origin.readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  });

describe('an attestation', () => {
  it('is FILLED once the fill is final, and releases the money to the filler', async () => {
    const order = await openedForGood();
    await book.fill(order);
    expect(await ask(first(), order)).toMatchObject({
      status: 409,
      body: { error: { code: 'not_final', retry_after_ms: 1_000 } },
    });

    await book.destination.mine({ blocks: 1 });
    const agreed = await collect(order, urlsOf(attesters));

    expect(agreed).toMatchObject({ outcome: 'FILLED', filler: solver.address });
    if (!agreed) throw new Error('attesters did not agree');
    await attest(order, agreed);
    const before = await balanceOnOrigin(solver.address);
    await book.mined(book.origin, {
      address: escrow,
      abi: intentEscrowAbi,
      functionName: 'release',
      args: [order],
    });
    expect((await balanceOnOrigin(solver.address)) - before).toBe(UNITS);
    await book.origin.mine({ blocks: 2 });
    expect(await ask(first(), order)).toMatchObject({
      status: 409,
      body: { error: { code: 'not_open' } },
    });
  });

  it('is UNFILLED once a final block is later than the window, and not before', async () => {
    const order = await openedForGood();
    expect(await ask(first(), order)).toMatchObject({
      status: 409,
      body: { error: { code: 'not_final' } },
    });
    await closeWindow(order);
    // The block after the window is there, but may still be replaced by one within.
    expect(await collect(order, urlsOf(attesters))).toBeNull();

    await book.destination.mine({ blocks: 1 });
    const agreed = await collect(order, urlsOf(attesters));

    expect(agreed).toMatchObject({ outcome: 'UNFILLED', filler: zeroAddress });
    if (!agreed) throw new Error('attesters did not agree');
    await attest(order, agreed);
  });

  it('is refused for an order whose origin block is not final', async () => {
    const reorganise = await branchOff(book.origin);
    // Of an amount of its own: the next order could be the same otherwise, and filled.
    const order = await book.open(UNITS + 1n);
    await book.fill(order);
    await book.destination.mine({ blocks: 2 });
    expect(await ask(first(), order)).toMatchObject({
      status: 409,
      body: { error: { code: 'not_open', retry_after_ms: 1_000 } },
    });

    await reorganise();

    expect(await ask(first(), order)).toMatchObject({
      status: 409,
      body: { error: { code: 'not_open' } },
    });
  });

  it('follows the destination chain when a reorg removes a fill', async () => {
    const order = await openedForGood();
    const reorganise = await branchOff(book.destination);
    await book.fill(order);
    await reorganise();
    expect(await ask(first(), order)).toMatchObject({
      status: 409,
      body: { error: { code: 'not_final' } },
    });
    await book.fill(order);
    await book.destination.mine({ blocks: 1 });
    expect(await ask(first(), order)).toMatchObject({ status: 200, body: { outcome: 'FILLED' } });
  });

  it('is refused when endpoints disagree, or one does not answer', async () => {
    const order = await filledForGood();
    expect(await ask(first(), order)).toMatchObject({ status: 200 });
    // Both chains came from one state; the finalised block has to be one that only the first has.
    await rpcCall(otherBetanet.rpcUrl, 'anvil_mine', ['0x100']);
    expect(await ask(disagreeing, order)).toMatchObject({
      status: 409,
      body: { error: { code: 'endpoints_disagree' } },
    });
    expect(await ask(halfReachable, order)).toMatchObject({
      status: 503,
      body: { error: { code: 'chain_unavailable' } },
    });
  });

  it('is signed as two of three endpoints say when the third is on a fork, or does not answer', async () => {
    const order = await filledForGood();
    await rpcCall(otherBetanet.rpcUrl, 'anvil_mine', ['0x100']);
    for (const [index, third] of [otherBetanet.rpcUrl, CLOSED].entries()) {
      const attester = await start(thirdKey, [betanet.rpcUrl, third, betanet.rpcUrl]);
      expect({ index, ...(await ask(attester, order)) }).toMatchObject({
        index,
        status: 200,
        body: { outcome: 'FILLED', filler: solver.address },
      });
      await attester.shutdown();
    }
  });

  it('is refused when one of two endpoints hangs, without asking it again', async () => {
    const order = await filledForGood();
    const hanging = await startCapturingServer(() => new Promise(() => undefined));
    const attester = await start(thirdKey, [betanet.rpcUrl, hanging.url]);
    expect(await ask(attester, order)).toMatchObject({
      status: 503,
      body: { error: { code: 'chain_unavailable' } },
    });
    // A caller would have given up before a second attempt.
    expect(hanging.requests).toHaveLength(1);
    await attester.shutdown();
    await hanging.stop();
  });

  it('is computed once for concurrent requests', async () => {
    const order = await filledForGood();
    const node = await startCapturingServer(async ({ body }) => {
      const response = await fetch(betanet.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      return { headers: { 'content-type': 'application/json' }, body: await response.text() };
    });
    const attester = await start(thirdKey, [node.url]);
    const service = attester.app.get(AttestationService);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() => service.attest({ escrow, order }, CLIENT)),
    );
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['FILLED']));
    const calls = node.requests.filter(({ body }) => body.includes('eth_call'));
    expect(calls).toHaveLength(1);

    const asked = Array.from({ length: MAX_ORDERS_AT_ONCE.unreserved + 1 }, (_, index) =>
      service.attest({ escrow, order: { ...order, nonce: BigInt(index) + 1_000_000n } }, CLIENT),
    );
    const codes = (await Promise.allSettled(asked)).map((each) =>
      each.status === 'rejected' && each.reason instanceof Refusal ? each.reason.code : 'answered',
    );
    expect(codes.filter((code) => code === 'not_open')).toHaveLength(MAX_ORDERS_AT_ONCE.unreserved);
    expect(codes.at(-1)).toBe('busy');
    await attester.shutdown();
    await node.stop();
  });

  it('is refused for another escrow, oracle or chain, and for altered orders', async () => {
    const order = await filledForGood();
    const foreign = { status: 422, body: { error: { code: 'foreign_order' } } };
    expect(await ask(first(), order, usdc)).toMatchObject(foreign);
    expect(await ask(first(), { ...order, oracle: usdc })).toMatchObject(foreign);
    expect(await ask(first(), { ...order, destinationChainId: 1n })).toMatchObject(foreign);
    for (const change of [{ inputAmount: UNITS + 1n }, { fillDeadline: 1n }, { owner: usdc }]) {
      expect(await ask(first(), { ...order, ...change })).toMatchObject({
        status: 409,
        body: { error: { code: 'not_open' } },
      });
    }
  });

  it.each([
    ['a body that is no JSON object', '[]'],
    ['a body without an order', JSON.stringify({ escrow })],
    ['an amount that is a number', JSON.stringify({ escrow, order: { input_amount: 1 } })],
  ])('refuses %s', async (_, body) => {
    const response = await fetch(`${first().url}/v1/attestations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_request' } });
  });
});

describe('the escrow with attestations', () => {
  const instruction = { recipient: usdc, feeReceiver: zeroAddress, fee: 0n, validUntil: 2n ** 40n };
  const refund = async (order: Order) =>
    book.mined(book.origin, {
      address: escrow,
      abi: intentEscrowAbi,
      functionName: 'refund',
      args: [
        order,
        instruction,
        await book.origin.signMessage({ message: refundText(order, instruction, escrow) }),
      ],
    });
  const release = (order: Order) =>
    book.mined(book.origin, {
      address: escrow,
      abi: intentEscrowAbi,
      functionName: 'release',
      args: [order],
    });
  const agreed = async (order: Order) => {
    const collected = await collect(order, urlsOf(attesters));
    if (!collected) throw new Error('attesters did not agree');
    await attest(order, collected);
    return collected.outcome;
  };

  it('refunds nothing that was filled in the last block before the deadline', async () => {
    const order = await openedForGood();
    await book.destination.setNextBlockTimestamp({ timestamp: order.fillDeadline });
    await book.fill(order);
    await closeWindow(order);
    await expect(refund(order)).rejects.toThrow('NotRefundable');

    expect(await agreed(order)).toBe('FILLED');
    await expect(refund(order)).rejects.toThrow('NotRefundable');
    await release(order);
    await expect(refund(order)).rejects.toThrow('NotOpen');
  });

  it('refuses a fill after the deadline, and releases nothing refundable', async () => {
    const order = await openedForGood();
    await closeWindow(order);
    await expect(book.fill(order)).rejects.toThrow('FillWindowClosed');
    await book.destination.mine({ blocks: 1 });

    expect(await agreed(order)).toBe('UNFILLED');
    await expect(release(order)).rejects.toThrow('NotFilled');
    await refund(order);
    await expect(release(order)).rejects.toThrow('NotOpen');
  });

  it('releases no money for a single dishonest attester', async () => {
    const order = await openedForGood();
    const url = await liar(order, thirdKey, { outcome: 'FILLED', filler: solver.address });
    const lie = (await (await fetch(url)).json()) as { signature: Hex };
    for (const signatures of [[lie.signature], [lie.signature, lie.signature]]) {
      const claim = { outcome: 'FILLED', filler: solver.address, signatures };
      await expect(attest(order, claim)).rejects.toThrow(/TooFewSignatures|UnknownSigner/);
    }
    await expect(release(order)).rejects.toThrow('NotFilled');
  });
});

describe('collectAttestation', () => {
  it('ignores and reports a dishonest, an unreachable and an unknown attester', async () => {
    const order = await filledForGood();
    const lies = await liar(order, thirdKey, { outcome: 'UNFILLED', filler: zeroAddress });
    const nobody = await liar(order, undefined, { outcome: 'FILLED', filler: solver.address });
    const ignored: string[] = [];
    const agreed = await collect(order, [CLOSED, nobody, lies, ...urlsOf(attesters.slice(0, 2))], {
      onIgnored: ({ url }) => ignored.push(url),
    });

    expect(agreed).toMatchObject({ outcome: 'FILLED', filler: solver.address });
    expect(agreed?.signatures).toHaveLength(2);
    expect(ignored).toEqual(expect.arrayContaining([CLOSED]));
    if (agreed) await attest(order, agreed);
  });

  it('returns null without a quorum', async () => {
    const order = await filledForGood();
    const { url } = first();
    const lies = await liar(order, thirdKey, { outcome: 'FILLED', filler: usdc });
    const nobody = await liar(order, undefined, { outcome: 'FILLED', filler: solver.address });

    expect(await collect(order, [url, lies, CLOSED])).toBeNull();
    expect(await collect(order, [url, url, url])).toBeNull();
    expect(await collect(order, [url, nobody])).toBeNull();
  });

  it('does not wait for an attester without an answer', async () => {
    const order = await filledForGood();
    const silent = await startCapturingServer(() => new Promise(() => undefined));
    liars.push(silent);
    const ignored: string[] = [];
    const agreed = await collect(order, [silent.url, ...urlsOf(attesters)], {
      onIgnored: ({ url }) => ignored.push(url),
    });
    expect(agreed).not.toBeNull();
    // Its time was not up, or it would have been left out.
    expect(ignored).toEqual([]);
  });

  it('stops when its signal is aborted', async () => {
    const order = await filledForGood();
    const silent = await startCapturingServer(() => new Promise(() => undefined));
    liars.push(silent);
    const stop = new AbortController();
    const collected = collect(order, [silent.url], { signal: stop.signal });
    await eventually(() => expect(silent.requests).toHaveLength(1));
    stop.abort(new Error('shutting down'));
    await expect(collected).rejects.toThrow('shutting down');
  });
});
