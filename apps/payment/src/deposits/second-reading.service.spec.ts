import { Chain, chainDefinitions } from '@bascule/chain';
import type { Chains } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { startLyingNode } from '@bascule/testing';
import type { LyingNode, RpcCall } from '@bascule/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource, EntityManager } from 'typeorm';
import { numberToHex } from 'viem';
import type { DepositRepository } from './deposit.repository.js';
import type { DepositsService } from './deposits.service.js';
import type { MinedWithdrawalsService } from './mined-withdrawals.service.js';
import { nodeIdOf } from './node-id.js';
import type { Arrival } from './payment-deposits.js';
import type { ScanCursorRepository } from './scan-cursor.repository.js';
import type { KeptBlock, ScanCursor, ScannedBlock } from './scanned-chain.js';
import { SecondReadingService } from './second-reading.service.js';
import type { ScannedBlocksService } from './scanned-blocks.service.js';
import type { PaymentFailure, SetAsideRepository } from './set-aside.repository.js';
import type { DatedLog } from './withdrawn-logs.js';

const DAY_BLOCKS = 7_200n;
const SECONDS = 1_700_000_000n;
const hashOf = (number: bigint): `0x${string}` => `0x${number.toString(16).padStart(64, '0')}`;
const timeOf = (number: bigint): Date => new Date(Number(SECONDS + number) * 1_000);

/** A node whose blocks are empty. */
class Node {
  /** Heights that it was asked for. */
  readonly asked: bigint[] = [];
  /** Facts of a block that it tells in place of the true ones. */
  lie: (height: bigint) => object | null | Promise<never> = () => ({});

  private constructor(readonly server: LyingNode) {
    server.lies.set('eth_getBlockByNumber', async (call) => ({ result: await this.block(call) }));
  }

  static async start(): Promise<Node> {
    return new Node(await startLyingNode('http://127.0.0.1:1'));
  }

  private async block({ params: [height] }: RpcCall): Promise<object | null> {
    const number = BigInt(height as string);
    this.asked.push(number);
    const block = { number: height, hash: hashOf(number), parentHash: hashOf(number - 1n) };
    const timestamp = numberToHex(SECONDS + number);
    const lie = await this.lie(number);
    return lie && { ...block, timestamp, transactions: [], ...lie };
  }
}

/** A chain with three nodes, of which the first one was scanned. */
class Reading {
  cursor: { reread: bigint; confirmed: bigint } = { reread: 99n, confirmed: 110n };
  /** Heights that the scanner has kept. */
  kept: { from: bigint; to: bigint } | null = { from: 0n, to: 10_000n };
  readFrom: (height: bigint) => number | null = () => 0;
  hashOf = hashOf;
  /** Chain as it was configured when it was scanned. */
  scannedFrom: Reading = this;
  /** Payments of which nodes tell more than is recorded. */
  unrecorded = new Map<string, bigint>();
  /** Number of nodes that still tell these payments. */
  tellers = Infinity;
  /** Runs when facts are compared with what is recorded. */
  compare: () => Promise<void> = () => Promise.resolve();
  /** Time of the newest block that was read. */
  rereadAt: Date | null = null;
  readonly withdrawalsAsked: number[] = [];
  put: readonly PaymentFailure[] = [];
  readonly service: SecondReadingService;
  readonly context = new ServiceContext({
    name: 'test',
    environment: 'test',
    logLevel: 'silent',
  });
  private readonly chain: Chain;

  constructor(readonly nodes: readonly Node[]) {
    const { alphanet } = chainDefinitions;
    if (alphanet === undefined) throw new Error('alphanet is not defined');
    const definition = { ...alphanet, blockTimeMs: 12_000 };
    this.chain = new Chain({ definition, rpcUrls: nodes.map(({ server }) => server.url) });
    const manager = {} as EntityManager;
    this.service = new SecondReadingService(
      {
        transaction: (work: (it: EntityManager) => unknown) => work(manager),
      } as unknown as DataSource,
      this.cursors() as ScanCursorRepository,
      {
        unrecorded: async (_chain, blocks) => {
          await this.compare();
          this.tellers -= 1;
          return this.tellers < 0 ? new Map() : this.arrivalsIn(blocks);
        },
      } as Partial<DepositsService> as DepositsService,
      {
        paymentsOf: () => Promise.resolve(new Map()),
      } as Partial<DepositRepository> as DepositRepository,
      {
        find: (node) => {
          this.withdrawalsAsked.push(this.chain.endpoints.indexOf(node));
          return Promise.resolve([] as DatedLog[]);
        },
        unrecorded: () => Promise.resolve([]),
      } as Partial<MinedWithdrawalsService> as MinedWithdrawalsService,
      {
        block: (_chain, number) =>
          Promise.resolve({ number, hash: hashOf(number), timestamp: timeOf(number) }),
      } as Partial<ScannedBlocksService> as ScannedBlocksService,
      {
        among: () => Promise.resolve(new Set<string>()),
        put: (_manager, _chain, failures) => {
          this.put = failures;
          return Promise.resolve();
        },
      } as Partial<SetAsideRepository> as SetAsideRepository,
      this.context,
      { all: () => [this.chain] } as Partial<Chains> as Chains,
    );
  }

  next(): Promise<'read' | 'none' | 'failed'> {
    return this.service.next(this.chain);
  }

  askedOf(index: number): bigint[] {
    return this.nodeAt(index).asked.toSorted((one, other) => Number(one - other));
  }

  nodeAt(index: number): Node {
    const node = this.nodes[index];
    if (node === undefined) throw new Error(`no node ${index}`);
    return node;
  }

  async counted(metric: string): Promise<number> {
    const text = await this.context.metrics.metrics();
    return Number(new RegExp(`^${metric}\\{[^}]*\\} (\\d+)`, 'm').exec(text)?.[1]);
  }

  /** Id of the node that a block was scanned from. */
  idAt(height: bigint): string | null {
    const node = this.chain.endpoints[this.readFrom(height) ?? -1];
    return node === undefined ? null : nodeIdOf(node);
  }

  private arrivalsIn(blocks: readonly ScannedBlock[]): Map<string, Arrival[]> {
    const found = new Map<string, Arrival[]>();
    for (const [paymentId, height] of this.unrecorded) {
      const block = blocks.find(({ number }) => number === height);
      if (block !== undefined) found.set(paymentId, [{ block } as unknown as Arrival]);
    }
    return found;
  }

  private cursors(): Partial<ScanCursorRepository> {
    return {
      find: () => {
        const { reread, confirmed } = this.cursor;
        const known = { number: confirmed, timestamp: timeOf(confirmed) };
        return Promise.resolve({ reread, confirmed: known } as ScanCursor);
      },
      blocksBetween: (_manager, _chain, { from, to, limit }) => {
        const blocks: KeptBlock[] = [];
        for (let number = from; number <= to && blocks.length < limit; number++) {
          if (!this.kept || number < this.kept.from || number > this.kept.to) continue;
          const readFrom = this.scannedFrom.idAt(number);
          blocks.push({ number, hash: this.hashOf(number), timestamp: timeOf(number), readFrom });
        }
        return Promise.resolve(blocks);
      },
      reread: (_manager, _chain, { after, last }) => {
        if (this.cursor.reread !== after || this.cursor.confirmed < last.number) {
          return Promise.resolve(false);
        }
        this.cursor = { ...this.cursor, reread: last.number };
        this.rereadAt = last.timestamp;
        return Promise.resolve(true);
      },
    };
  }
}

const heights = (from: number, to: number): bigint[] =>
  Array.from({ length: to - from + 1 }, (_, index) => BigInt(from + index));

describe('SecondReadingService', () => {
  let reading: Reading;
  beforeEach(async () => {
    reading = new Reading(await Promise.all([Node.start(), Node.start(), Node.start()]));
  });
  afterEach(async () => {
    await Promise.all(reading.nodes.map(({ server }) => server.stop()));
  });

  it('reads final blocks with their withdrawals from another node than the scanned one', async () => {
    expect(await reading.next()).toBe('read');
    expect(reading.askedOf(0)).toEqual([]);
    expect(reading.askedOf(1)).toEqual(heights(100, 110));
    expect(reading.askedOf(2)).toEqual([]);
    expect(reading.withdrawalsAsked).toEqual([1]);
    expect(reading.cursor.reread).toBe(110n);
    expect(await reading.next()).toBe('none');
  });

  it('asks a node no more for the blocks that it was scanned for, once another one is scanned', async () => {
    reading.readFrom = (height) => (height < 105n ? 0 : 1);
    await reading.next();
    expect(reading.cursor.reread).toBe(104n);
    expect(reading.askedOf(1)).toEqual(heights(100, 104));
    await reading.next();
    expect(reading.cursor.reread).toBe(110n);
    expect(reading.askedOf(0)).toEqual(heights(105, 110));
  });

  it.each([
    ['are no longer kept', { kept: null }],
    ['the version before has scanned', { readFrom: () => null }],
    ['a node has told that is configured no more', { idAt: () => 'another' }],
  ])('reads blocks that %s from two nodes', async (_, state) => {
    Object.assign(reading, state);
    await reading.next();
    expect(reading.cursor.reread).toBe(110n);
    expect([0, 1, 2].map((index) => reading.askedOf(index).length)).toEqual([11, 11, 0]);
  });

  it('reads blocks across the oldest kept one, which may be deleted meanwhile', async () => {
    reading.kept = { from: 105n, to: 10_000n };
    reading.nodeAt(1).lie = () => {
      reading.kept = { from: 109n, to: 10_000n };
      return {};
    };
    expect(await reading.next()).toBe('read');
    expect(reading.cursor.reread).toBe(110n);
    expect([0, 1].map((index) => reading.askedOf(index).length)).toEqual([11, 11]);
  });

  it('takes the time of a block from no single node', async () => {
    reading.kept = null;
    for (const node of reading.nodes) {
      node.lie = (height) => ({ timestamp: numberToHex(SECONDS + height + 900n) });
    }
    await reading.next();
    expect(reading.rereadAt).toEqual(timeOf(110n));
  });

  it('asks another node where the answers of one cannot be compared', async () => {
    let compared = 0;
    reading.compare = () => {
      compared += 1;
      return compared === 1
        ? Promise.reject(new Error('invalid byte sequence'))
        : Promise.resolve();
    };
    expect(await reading.next()).toBe('read');
    expect(reading.askedOf(2)).toEqual(heights(100, 110));
    reading.cursor = { reread: 110n, confirmed: 112n };
    await reading.next();
    expect(reading.askedOf(1)).toEqual(heights(100, 110));
  });

  it('reads fewer blocks at once after a failure, down to one', async () => {
    const [, ...others] = reading.nodes;
    for (const node of others) node.lie = () => null;
    for (let attempts = 0; attempts < 6; attempts++) expect(await reading.next()).toBe('failed');
    for (const node of others) {
      node.lie = () => ({});
      node.asked.length = 0;
    }
    await reading.next();
    expect(reading.cursor.reread).toBe(100n);
    await reading.next();
    expect(reading.cursor.reread).toBe(102n);
  });

  it('reads what another node had told once only one is left', async () => {
    reading.readFrom = (height) => (height < 105n ? 0 : 1);
    const alone = new Reading(reading.nodes.slice(1, 2));
    alone.scannedFrom = reading;
    expect(await alone.next()).toBe('read');
    expect(alone.cursor.reread).toBe(104n);
    expect(alone.askedOf(0)).toEqual(heights(100, 104));
    // What it told itself is not asked for again.
    expect(await alone.next()).toBe('read');
    expect(alone.cursor.reread).toBe(110n);
    expect(alone.askedOf(0)).toHaveLength(5);
  });

  it('takes no blocks from a node that has others than the scan', async () => {
    reading.nodeAt(1).lie = () => ({ hash: hashOf(7n) });
    await reading.next();
    expect(reading.askedOf(2)).toEqual(heights(100, 110));
    expect(reading.cursor.reread).toBe(110n);
  });

  it('goes no further while only the scanned node answers', async () => {
    for (const node of reading.nodes.slice(1)) node.lie = () => Promise.reject(new Error('away'));
    expect(await reading.next()).toBe('failed');
    expect(reading.cursor.reread).toBe(99n);
    // The node that failed has a pause; nothing has got on.
    expect(await reading.next()).toBe('failed');
  });

  it('notes nothing where a rewind came meanwhile', async () => {
    reading.unrecorded.set('payment', 103n);
    reading.nodeAt(1).lie = () => {
      reading.cursor = { reread: 95n, confirmed: 95n };
      return {};
    };
    await reading.next();
    expect(reading.put).toEqual([]);
    expect(reading.cursor.reread).toBe(95n);
  });

  it.each<[string, (reading: Reading) => void]>([
    ['have other hashes', (it) => (it.hashOf = () => hashOf(7n))],
    ['were scanned from the node that was read', (it) => (it.readFrom = () => 1)],
  ])('notes nothing where the blocks %s meanwhile', async (_, change) => {
    reading.unrecorded.set('payment', 103n);
    reading.nodeAt(1).lie = () => {
      change(reading);
      return {};
    };
    await expect(reading.next()).rejects.toThrow();
    expect(reading.put).toEqual([]);
  });

  it('sets payments aside of which nodes tell more than is recorded, and counts them', async () => {
    reading.unrecorded.set('payment', 103n);
    await reading.next();
    expect(reading.put).toEqual([{ paymentId: 'payment', blocks: [103n] }]);
    expect(await reading.counted('payment_scanner_left_out_total')).toBe(1);
  });

  it.each([
    ['nobody where only one of two tells more beside the scanned one', 1, []],
    ['whoever two nodes tell more of', 2, [{ paymentId: 'payment', blocks: [103n] }]],
  ])('sets aside %s', async (_, tellers, expected) => {
    reading.unrecorded.set('payment', 103n);
    reading.tellers = tellers;
    expect(await reading.next()).toBe('read');
    expect(reading.put).toEqual(expected);
    expect([1, 2].map((index) => reading.askedOf(index))).toEqual([
      heights(100, 110),
      heights(100, 110),
    ]);
    // A node that tells more than the others is asked last.
    reading.cursor = { reread: 110n, confirmed: 112n };
    await reading.next();
    const expectedNext = tellers === 1 ? 2 : 1;
    expect(reading.askedOf(expectedNext).slice(11)).toEqual(heights(111, 112));
  });

  it('sets aside what only one node denies, where nobody knows which one was scanned', async () => {
    reading.readFrom = () => null;
    reading.unrecorded.set('payment', 103n);
    reading.tellers = 2;
    await reading.next();
    expect(reading.put).toEqual([{ paymentId: 'payment', blocks: [103n] }]);
    expect([0, 1, 2].map((index) => reading.askedOf(index).length)).toEqual([11, 11, 11]);
  });

  it('sets aside what the other one of two nodes tells, since nobody else can judge', async () => {
    const two = new Reading(reading.nodes.slice(0, 2));
    two.unrecorded.set('payment', 103n);
    two.tellers = 1;
    await two.next();
    expect(two.put).toEqual([{ paymentId: 'payment', blocks: [103n] }]);
  });

  it('sets aside what a third node cannot judge, since it does not answer', async () => {
    reading.unrecorded.set('payment', 103n);
    reading.tellers = 1;
    reading.nodeAt(2).lie = () => Promise.reject(new Error('away'));
    await reading.next();
    expect(reading.put).toEqual([{ paymentId: 'payment', blocks: [103n] }]);
  });

  it('skips and counts what was not read for a day', async () => {
    reading.cursor = { reread: 99n, confirmed: 99n + DAY_BLOCKS + 5n };
    const [, ...others] = reading.nodes;
    for (const node of others) node.lie = () => Promise.reject(new Error('away'));
    await reading.next();
    expect(await reading.counted('payment_scanner_skipped_total')).toBe(0);
    reading = new Reading(reading.nodes);
    reading.cursor = { reread: 99n, confirmed: 99n + DAY_BLOCKS + 5n };
    for (const node of others) {
      node.lie = () => ({});
      node.asked.length = 0;
    }
    await reading.next();
    expect(reading.askedOf(1)).toEqual(heights(105, 124));
    expect(await reading.counted('payment_scanner_skipped_total')).toBe(5);
    expect(reading.cursor.reread).toBe(124n);
  });
});
