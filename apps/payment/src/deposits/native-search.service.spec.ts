import type { Chain, EndpointClient } from '@bascule/chain';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InternalRpcError, MethodNotFoundRpcError } from 'viem';
import type { Address, Hash, Hex } from 'viem';
import type { PaymentConfig } from '../config/payment.config.js';
import type { NativeLedger } from './native-ledger.js';
import { NativeSearchService } from './native-search.service.js';
import type { NativeWalletsRepository } from './native-wallets.repository.js';
import { RiseArrivalsService } from './rise-arrivals.service.js';
import type { ScannedBlocksService } from './scanned-blocks.service.js';
import type { BlockPointer } from './scanned-chain.js';

const ADDRESS = '0x1111111111111111111111111111111111111111';
const HEIGHT = 1_000n;
const DAY_MS = 86_400_000;
/** The money that really arrived, by block. */
type Money = readonly (readonly [block: bigint, amount: bigint])[];

const balanceOf = (money: Money, height: bigint): bigint =>
  money.filter(([block]) => block <= height).reduce((sum, [, amount]) => sum + amount, 0n);

const pointer = (number: bigint): BlockPointer => ({
  number,
  hash: `0x${number.toString(16).padStart(64, '0')}`,
  timestamp: new Date(Number(number) * 1_000),
});

interface Conduct {
  /** Balance after a block. */
  balance?: (block: bigint) => Promise<bigint>;
  /** Current balance; default: all of the money. */
  current?: bigint;
  head?: bigint;
  /** Answer to `trace_block`. */
  traces?: () => Promise<unknown>;
  /** Answers balances after the others. */
  isSlower?: boolean;
  /** Hash of a block. */
  hash?: Hash;
  /** Seconds added to the time of blocks. */
  later?: number;
  /** Senders of transactions that pay the wallet {@link AT_700 its money}. */
  plain?: () => Promise<Address[]>;
  /** Fields that replace those of the transactions, in order. */
  fields?: readonly object[];
}

/** A node, without tracers unless it has traces. */
function nodeOf(money: Money, conduct: Conduct = {}) {
  const { balance, hash, later = 0, plain, fields = [] } = conduct;
  const reads: bigint[] = [];
  const node = {
    transport: { url: 'http://localhost', retryCount: 0 },
    getBlockNumber: () => Promise.resolve(conduct.head ?? 2n * HEIGHT),
    getBalance: async ({ blockNumber }: { blockNumber?: bigint }) => {
      if (conduct.isSlower === true) await new Promise((resolve) => setImmediate(resolve));
      if (blockNumber === undefined) {
        return conduct.current ?? balanceOf(money, 2n * HEIGHT);
      }
      reads.push(blockNumber);
      return balance?.(blockNumber) ?? balanceOf(money, blockNumber);
    },
    getBlock: async ({ blockNumber }: { blockNumber: bigint }) => {
      const { hash: own, timestamp } = pointer(blockNumber);
      const at = BigInt(timestamp.getTime() / 1_000 + later);
      const about = { number: blockNumber, parentHash: '0x', timestamp: at };
      const senders = (await plain?.()) ?? [];
      const paying = senders.map((from, index) => ({
        ...{ hash: PLAIN, from, to: ADDRESS, value: 5n },
        ...fields[index],
      }));
      const others = [TRANSACTION, PLAIN].map((id) => ({ hash: id, to: null, value: 0n }));
      return { ...about, transactions: [...paying, ...others], hash: hash ?? own };
    },
    request: ({ method }: { method: string }) =>
      method === 'trace_block' && conduct.traces !== undefined
        ? conduct.traces()
        : Promise.reject(new MethodNotFoundRpcError(new Error('no method'))),
  };
  return { node: node as unknown as EndpointClient, reads };
}

interface Search {
  /** Balance that the look has noted. */
  noted?: bigint;
  ledger?: NativeLedger;
  /** Deposits of any block, as `<transaction>/<position>`. */
  recorded?: readonly string[];
}

function serviceWith({ recorded = [] }: Search = {}): NativeSearchService {
  const arrivals = new RiseArrivalsService(
    {
      recordedIn: () => Promise.resolve(new Set(recorded)),
    } as Partial<NativeWalletsRepository> as NativeWalletsRepository,
    {
      block: (_chain, number) => Promise.resolve(pointer(number)),
    } as Partial<ScannedBlocksService> as ScannedBlocksService,
    { timing: { traceMs: 1_000 } } as PaymentConfig,
  );
  return new NativeSearchService(arrivals);
}

/** Searches by these nodes. */
async function find(
  nodes: readonly { node: EndpointClient }[],
  search: Search = {},
  service = serviceWith(search),
) {
  const endpoints = nodes.map(({ node }) => node);
  const chain = { name: 'alphanet', endpoints } as unknown as Chain;
  const { arrivals, residue } = await service.find(chain, {
    paymentId: 'payment',
    address: ADDRESS,
    height: HEIGHT,
    balance: search.noted ?? 5n,
    ledger: search.ledger ?? { since: null, deposits: [] },
  });
  const found = arrivals.map(({ block, amount, position }) => ({
    block: block.number,
    amount,
    position,
  }));
  const blocks = arrivals.map(({ block }) => block);
  const senders = arrivals.map(({ from }) => from);
  return { found, residue, blocks, senders };
}

const AT_700: Money = [[700n, 5n]];
const POSITION = `balance:${ADDRESS}`;
const FOUND = [{ block: 700n, amount: 5n, position: POSITION }];
const SENDER = '0x2222222222222222222222222222222222222222';
const OTHER = '0x3333333333333333333333333333333333333333';
const TRANSACTION: Hash = `0x${'77'.repeat(32)}`;
/** Call that is a deposit of another payment. */
/** A transaction that pays by itself. */
const PLAIN: Hash = `0x${'88'.repeat(32)}`;
const FURTHER: Hash = `0x${'99'.repeat(32)}`;
const prunedBelow = (oldest: bigint, money: Money) => (block: bigint) =>
  block < oldest
    ? Promise.reject(new InternalRpcError(new Error('missing trie node')))
    : Promise.resolve(balanceOf(money, block));
const failing = (): Promise<never> => Promise.reject(new Error('no answer'));
const invented = (amount: bigint) => (block: bigint) => Promise.resolve(block < 900n ? 0n : amount);
const transfer = (value: Hex, from: Hex = SENDER, transactionHash: Hash = TRANSACTION) => ({
  ...{ type: 'call', traceAddress: [0], transactionHash },
  action: { callType: 'call', from, to: ADDRESS, value },
});
const tracing = (...traces: object[]) => nodeOf(AT_700, { traces: () => Promise.resolve(traces) });
const sendersOf = async (...nodes: ReturnType<typeof nodeOf>[]) =>
  (await find(nodes)).senders.map((sender) => sender?.toLowerCase() ?? null);

const trueNow = performance.now.bind(performance);
/** Time by which the monotonic clock is ahead. */
let aheadMs = 0;
function letTimePass(ms: number): void {
  aheadMs += ms;
  jest.spyOn(performance, 'now').mockImplementation(() => trueNow() + aheadMs);
}

/** Time after which a further failure of a node counts. */
const FAILURE_MS = 5_000;

/** Expects that a search waits three times for a node that fails to tell transfers. */
async function expectThreeWaits(
  nodes: readonly { node: EndpointClient }[],
  service: NativeSearchService,
  search: Search = {},
): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    await expect(find(nodes, search, service)).rejects.toThrow('is not traced now');
    letTimePass(FAILURE_MS);
  }
}

afterEach(() => {
  jest.restoreAllMocks();
  aheadMs = 0;
});

describe('the search for native money', () => {
  it('is over once two nodes have no unexplained balance, though a third fails', async () => {
    const nodes = [nodeOf([], { balance: failing }), nodeOf([]), nodeOf([])];
    expect(await find(nodes)).toMatchObject({ found: [], residue: 0n });
  });

  it('is over once two nodes have none, though a third shows a rise', async () => {
    const nodes = [nodeOf([], { balance: invented(5n) }), nodeOf([]), nodeOf([])];
    expect(await find(nodes)).toMatchObject({ found: [], residue: 0n });
  });

  it.each([
    ['fails', failing],
    ['shows a rise', invented(5n)],
  ])('waits where one of two nodes has none and the other one %s', async (_, balance) => {
    await expect(find([nodeOf([], { balance }), nodeOf([])])).rejects.toThrow('disagree');
  });

  it('goes on with the only one of two nodes that answers', async () => {
    const nodes = [nodeOf([], { balance: failing }), nodeOf(AT_700)];
    expect(await find(nodes)).toMatchObject({ found: FOUND });
  });

  it('takes the block from no single node of three', async () => {
    const nodes = [nodeOf([], { balance: invented(5n) }), nodeOf(AT_700), nodeOf(AT_700)];
    expect(await find(nodes)).toMatchObject({ found: FOUND });
  });

  it('takes no deposit that is recorded for a rise', async () => {
    const double = (block: bigint) => Promise.resolve(2n * balanceOf(AT_700, block));
    const ledger = { since: null, deposits: [{ block: 700n, amount: 5n }] };
    const nodes = [nodeOf([], { balance: double }), nodeOf(AT_700)];
    await expect(find(nodes, { noted: 10n, ledger })).rejects.toThrow('disagree');
  });

  it('goes on beside a node that has no state of the block', async () => {
    const nodes = [nodeOf([], { balance: prunedBelow(900n, AT_700) }), nodeOf(AT_700)];
    expect(await find(nodes)).toMatchObject({ found: FOUND });
  });

  it('dates money that all nodes have pruned by the oldest state', async () => {
    const nodes = [900n, 880n, 950n].map((oldest) =>
      nodeOf(AT_700, { balance: prunedBelow(oldest, AT_700) }),
    );
    expect(await find(nodes)).toMatchObject({ found: [{ block: 880n, amount: 5n }] });
    const height = nodeOf(AT_700, { balance: prunedBelow(2_000n, AT_700) });
    expect(await find([height])).toMatchObject({ found: [{ block: HEIGHT, amount: 5n }] });
  });

  const AT_950: Money = [[950n, 5n]];
  it('takes no older block from one of three nodes, of which the others have no state', async () => {
    const honest = () => nodeOf(AT_950, { balance: prunedBelow(900n, AT_950) });
    const found = [{ block: 950n, amount: 5n, position: POSITION }];
    expect(await find([nodeOf(AT_700), honest(), honest()])).toMatchObject({ found });
  });

  it.each<[string, Money, bigint]>([
    ['has another one', AT_950, 900n],
    ['has no such money', [], 900n],
    ['has no such money now, and no state of the height', [], 1_500n],
  ])(
    'takes no older block from one of two nodes while the other one %s',
    async (_, money, from) => {
      const honest = nodeOf(money, { balance: prunedBelow(from, money) });
      await expect(find([nodeOf(AT_700), honest])).rejects.toThrow('disagree');
    },
  );

  it('counts no node that has not reached the height', async () => {
    const behind = () =>
      nodeOf([], { balance: prunedBelow(HEIGHT + 1n, []), head: HEIGHT - 1n, current: 5n });
    await expect(find([behind(), behind()])).rejects.toThrow('too few answered');
  });

  it('finds the block by a node that answers last where the others have pruned it', async () => {
    const pruned = (oldest: bigint) =>
      nodeOf(AT_700, { balance: prunedBelow(oldest, AT_700), isSlower: oldest === 880n });
    const archive = nodeOf(AT_700, { isSlower: true });
    expect(await find([pruned(900n), pruned(880n), archive])).toMatchObject({ found: FOUND });
  });

  it('waits for no node that denies money which two have, and of which these have no older state', async () => {
    const pruned = (oldest: bigint) => nodeOf(AT_700, { balance: prunedBelow(oldest, AT_700) });
    const found = [{ block: 880n, amount: 5n }];
    expect(await find([nodeOf([]), pruned(900n), pruned(880n)])).toMatchObject({ found });
  });

  it('takes no part of what arrived in a block for all of it', async () => {
    const splitting = (block: bigint) =>
      Promise.resolve(block < 700n ? 2n : block === 700n ? 3n : 5n);
    const nodes = [nodeOf([], { balance: splitting }), nodeOf(AT_700), nodeOf(AT_700)];
    expect(await find(nodes)).toMatchObject({ found: FOUND });
  });

  it('asks for transfers until nodes explain the money', async () => {
    const hanging = nodeOf(AT_700, { traces: () => new Promise(() => undefined) });
    const elsewhere = tracing(transfer('0x5', OTHER, pointer(1n).hash));
    const nodes = [
      hanging,
      tracing(),
      elsewhere,
      tracing(transfer('0x6')),
      tracing(transfer('0x5')),
      tracing(transfer('0x5')),
    ];
    expect(await sendersOf(...nodes)).toEqual([SENDER]);
  });

  it('goes on beside a node that traces calls without addresses', async () => {
    const call = transfer('0x5');
    const liar = tracing({ ...call, action: { ...call.action, to: '0x' } });
    expect(await sendersOf(liar, tracing(call), tracing(call))).toEqual([SENDER]);
  });

  it('takes no call whose place in its transaction is no number', async () => {
    const call = transfer('0x5');
    expect(await sendersOf(tracing({ ...call, traceAddress: ['\0'] }))).toEqual([null]);
    expect(await sendersOf(tracing({ ...call, traceAddress: [1, 12] }))).toEqual([SENDER]);
  });

  it('takes the sender from no single node of three', async () => {
    const [liar, honest] = [tracing(transfer('0x5', OTHER)), tracing(transfer('0x5'))];
    expect(await sendersOf(liar, honest, tracing(transfer('0x5')))).toEqual([SENDER]);
    await expect(find([liar, honest])).rejects.toThrow('disagree');
  });

  it('waits for the traces of a node three times, then for no sender', async () => {
    const nodes = [nodeOf(AT_700, { traces: failing }), nodeOf(AT_700)];
    const service = serviceWith();
    await expectThreeWaits(nodes, service);
    expect(await find(nodes, {}, service)).toMatchObject({ found: FOUND });
  });

  it('waits three times for other nodes before it takes the sender from one', async () => {
    const nodes = [tracing(transfer('0x5')), nodeOf(AT_700, { traces: failing })];
    const service = serviceWith();
    await expectThreeWaits(nodes, service);
    expect(await find(nodes, {}, service)).toMatchObject({ senders: [SENDER] });
  });

  it.each<[string, Conduct]>([
    ['another block', { hash: `0x${'ab'.repeat(32)}` }],
    ['another time of the block', { later: DAY_MS / 1_000 }],
  ])('goes on where the first of three nodes has %s', async (_, conduct) => {
    const nodes = [nodeOf(AT_700, conduct), nodeOf(AT_700), nodeOf(AT_700)];
    expect(await find(nodes)).toMatchObject({ found: FOUND, blocks: [pointer(700n)] });
  });

  it('records nothing of a block that the only node dates otherwise than the scanner', async () => {
    const nodes = [nodeOf(AT_700, { later: 1 })];
    await expect(find(nodes)).rejects.toThrow('disagree');
  });

  it('keeps as unexplained only what two nodes hold', async () => {
    const old: Money = [[0n, 3n]];
    const ledger: NativeLedger = { since: { block: 10n, remaining: 0n }, deposits: [] };
    const rich: Money = [[0n, 5n]];
    const search = { ledger };
    expect(await find([nodeOf(rich), nodeOf(old), nodeOf(old)], search)).toMatchObject({
      residue: 3n,
    });
    expect(await find([nodeOf(rich), nodeOf([])], search)).toMatchObject({ residue: 0n });
    await expect(find([nodeOf(rich), nodeOf([], { balance: failing })], search)).rejects.toThrow(
      'too few answered',
    );
  });

  it('names further money of a block otherwise than that which a node had shown before', async () => {
    const { hash } = pointer(700n);
    const recorded = [`${hash}/${POSITION}`, `${hash}/${POSITION}:1`];
    const { found } = await find([nodeOf(AT_700)], { recorded });
    expect(found).toEqual([{ block: 700n, amount: 5n, position: `${POSITION}:2` }]);
  });

  it.each([
    [[], 'trace:0'],
    [[`${TRANSACTION}/trace:7`], POSITION],
    [[`${TRANSACTION}/call:0`], POSITION],
  ])(
    'names a call by the balance where calls of its block are recorded: %j',
    async (recorded, position) => {
      const nodes = [tracing(transfer('0x5')), tracing(transfer('0x5'))];
      const { found } = await find(nodes, { recorded });
      expect(found).toEqual([{ block: 700n, amount: 5n, position }]);
    },
  );

  it('finds large sums first, and some of them in a turn', async () => {
    const money: Money = [
      [100n, 40n],
      ...[200n, 300n, 400n, 500n, 600n].map((block) => [block, 1n] as const),
    ];
    const { found, residue } = await find([nodeOf(money)], { noted: 45n });
    expect(found).toHaveLength(4);
    expect(found[0]).toMatchObject({ block: 100n, amount: 40n });
    expect(residue).toBeNull();
  });
});

describe('the search for plain transactions that pay', () => {
  beforeEach(() => {
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const { id } = (await new Request(input, init).json()) as { id: number };
      const result = { blockHash: pointer(700n).hash, status: '0x1', logs: [] };
      return Response.json({ jsonrpc: '2.0', id, result });
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const plain = (...senders: Address[]): Conduct => ({ plain: () => Promise.resolve(senders) });
  const honest = (more: Conduct = {}) => nodeOf(AT_700, { ...plain(SENDER), ...more });

  it('needs no traces', async () => {
    const untraced = { traces: failing };
    expect(await sendersOf(honest(untraced), honest(untraced))).toEqual([SENDER]);
    expect(await sendersOf(honest(untraced))).toEqual([SENDER]);
  });

  it('believes no node that two others deny, though their traces fail', async () => {
    const denying = () => nodeOf(AT_700, { traces: failing });
    const nodes = [honest({ traces: () => Promise.resolve([]) }), denying(), denying()];
    const service = serviceWith();
    await expectThreeWaits(nodes, service);
    expect(await find(nodes, {}, service)).toMatchObject({ found: FOUND, senders: [null] });
  });

  const MORE: Money = [[700n, 8n]];
  it.each([
    ['no transfer', []],
    ['calls of all of it', [transfer('0x8', OTHER)]],
    ['calls of more of it', [transfer('0x6', OTHER)]],
  ])('goes on where money arrived beside it, and one of three nodes tells %s', async (_, calls) => {
    const liar = nodeOf(MORE, { traces: () => Promise.resolve(calls) });
    for (let index = 0; index < 3; index++) {
      const nodes = [nodeOf(MORE, plain(SENDER)), nodeOf(MORE, plain(SENDER))];
      nodes.splice(index, 0, liar);
      expect(await find(nodes, { noted: 8n })).toMatchObject({ senders: [SENDER, null] });
    }
  });

  it('goes on where one of three nodes tells one transaction twice, and a call in place of another', async () => {
    const further = { hash: FURTHER, value: 2n };
    const calls = [transfer('0x4', OTHER)];
    const honestOfMore = () => nodeOf(MORE, { ...plain(SENDER, SENDER), fields: [{}, further] });
    const liar = nodeOf(MORE, {
      ...{ ...plain(SENDER, SENDER), fields: [further, further] },
      traces: () => Promise.resolve(calls),
    });
    for (let index = 0; index < 3; index++) {
      const nodes = [honestOfMore(), honestOfMore()];
      nodes.splice(index, 0, liar);
      const { found, senders } = await find(nodes, { noted: 8n });
      expect(found.map(({ amount }) => amount)).toEqual([5n, 2n, 1n]);
      expect(senders).toEqual([SENDER, SENDER, null]);
    }
  });

  it.each<[string, Conduct]>([
    ['does not', {}],
    ['tells another sender', plain(OTHER)],
    ['tells a call like it', { traces: () => Promise.resolve([transfer('0x5', SENDER, PLAIN)]) }],
  ])('waits while one of two nodes tells it and the other one %s', async (_, lie) => {
    const liar: Conduct = { ...plain(), ...lie };
    // The same node later tells the truth.
    const conduct: Conduct = { plain: async () => (await liar.plain?.()) ?? [] };
    conduct.traces = () => liar.traces?.() ?? Promise.resolve([]);
    for (const nodes of [
      [nodeOf(AT_700, conduct), honest()],
      [honest(), nodeOf(AT_700, conduct)],
    ]) {
      const service = serviceWith();
      Object.assign(liar, { traces: undefined }, plain(), lie);
      for (let tries = 0; tries < 4; tries++) {
        await expect(find(nodes, {}, service)).rejects.toThrow('disagree about transfers');
      }
      Object.assign(liar, { traces: undefined }, plain(SENDER));
      expect(await find(nodes, {}, service)).toMatchObject({ senders: [SENDER] });
    }
  });

  it.each([{ value: null }, { value: -5n }, { hash: '0x12' }, { from: null }, { to: '0x' }])(
    'goes on where one of three nodes tells it with %j',
    async (fields) => {
      const honestOfMore = () => nodeOf(MORE, plain(SENDER));
      const nodes = [
        nodeOf(MORE, { ...plain(SENDER), fields: [fields] }),
        honestOfMore(),
        honestOfMore(),
      ];
      const service = serviceWith();
      await expectThreeWaits(nodes, service, { noted: 8n });
      expect(await find(nodes, { noted: 8n }, service)).toMatchObject({ senders: [SENDER, null] });
    },
  );

  it('believes one node alone once the others have failed three times', async () => {
    const nodes = [honest(), nodeOf(AT_700, { plain: failing })];
    const service = serviceWith();
    await expectThreeWaits(nodes, service);
    expect(await find(nodes, {}, service)).toMatchObject({ senders: [SENDER] });
  });

  it.each<[string, Conduct]>([
    ['tell plain transactions', { plain: failing }],
    ['trace', { traces: failing }],
  ])('counts one failure in five seconds of a node that fails to %s', async (_, conduct) => {
    const nodes = [nodeOf(AT_700), nodeOf(AT_700, conduct)];
    const service = serviceWith();
    for (let counted = 1; counted < 3; counted++) {
      for (let wallets = 0; wallets < 4; wallets++) {
        const together = await Promise.allSettled([1, 2, 3].map(() => find(nodes, {}, service)));
        for (const { status } of together) expect(status).toBe('rejected');
      }
      letTimePass(FAILURE_MS);
    }
    await expect(find(nodes, {}, service)).rejects.toThrow('is not traced now');
    expect(await find(nodes, {}, service)).toMatchObject({ found: FOUND });
  });

  it('asks a node again that failed three times, where two others contradict each other', async () => {
    let isAway = true;
    const away = honest({ plain: () => (isAway ? failing() : Promise.resolve([SENDER])) });
    const nodes = [nodeOf(AT_700), honest(), away];
    const service = serviceWith();
    await expectThreeWaits(nodes, service);
    await expect(find(nodes, {}, service)).rejects.toThrow('disagree');
    isAway = false;
    expect(await find(nodes, {}, service)).toMatchObject({ senders: [SENDER] });
  });
});

describe('a slow node', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    jest.advanceTimersByTime(1);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const never = () => new Promise<bigint>(() => undefined);

  it('is waited for half a minute, then asked last', async () => {
    const slow = nodeOf([], {
      balance: (block) => (block === HEIGHT ? Promise.resolve(5n) : never()),
    });
    const other = nodeOf(AT_700);
    const service = serviceWith();
    const first = find([slow, other], {}, service);
    await jest.advanceTimersByTimeAsync(45_000);
    expect(await first).toMatchObject({ found: FOUND });
    slow.reads.length = 0;
    const second = find([slow, other], {}, service);
    await jest.advanceTimersByTimeAsync(15_000);
    expect(await second).toMatchObject({ found: FOUND });
    // The height, and the block before and after the rise.
    expect(slow.reads).toEqual([HEIGHT, 700n, 699n]);
  });

  it('is waited for ten seconds, then two in each turn beside others', async () => {
    const money = [700n, 600n, 500n, 400n].map((block) => [block, 5n] as const);
    const hanging = nodeOf([], { balance: never });
    const nodes = [hanging, nodeOf(money), nodeOf(money)];
    const service = serviceWith();
    for (const ms of [10_000, 2_000, 2_000]) {
      const turn = find(nodes, { noted: 20n }, service);
      await jest.advanceTimersByTimeAsync(ms);
      const { found } = await turn;
      expect(found).toHaveLength(4);
    }
  });

  it('has its full time where no other one is better', async () => {
    let delayMs = 30_000;
    const balance = (block: bigint) =>
      new Promise<bigint>((resolve) => {
        setTimeout(resolve, block === HEIGHT ? delayMs : 0, balanceOf(AT_700, block));
      });
    const nodes = [nodeOf([], { balance }), nodeOf([], { balance: failing })];
    const service = serviceWith();
    const first = find(nodes, {}, service).catch(String);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await first).toContain('too few answered');
    delayMs = 9_000;
    const second = find(nodes, {}, service);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await second).toMatchObject({ found: FOUND });
  });

  it('costs a turn less than its lease, however many there are', async () => {
    const slow = () =>
      nodeOf([], { balance: (block) => (block === HEIGHT ? Promise.resolve(5n) : never()) });
    const turn = find([slow(), slow(), slow(), slow()]).catch(String);
    await jest.advanceTimersByTimeAsync(100_000);
    expect(await Promise.race([turn, Promise.resolve('goes on')])).toContain('too few answered');
  });

  it('shows a search of balances no end of new ones', async () => {
    const noted = 2n ** 60n;
    let missing = 2n ** 58n;
    const node = nodeOf([], {
      balance: (block) => {
        const held = block === HEIGHT ? noted : noted - missing;
        if (block === 0n) missing /= 4n;
        return Promise.resolve(held);
      },
    });
    await expect(find([node], { noted })).rejects.toThrow('disagree');
    expect(node.reads.length).toBeLessThan(60);
  });
});
