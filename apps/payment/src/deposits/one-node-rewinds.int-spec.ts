import { Chain } from '@bascule/chain';
import { Lease } from '@bascule/persistence';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { numberToHex } from 'viem';
import type { Hex } from 'viem';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { startBehindNodes } from '../testing/behind-nodes.fixture.js';
import type { PaymentStack } from '../testing/payment-stack.fixture.js';
import { ChainScanner } from './chain.scanner.js';
import { RewindRefusedError } from './rewind-refused-error.js';
import { ScanGuardRepository } from './scan-guard.repository.js';

const ONE_USDC = 1_000_000n;
const WISH = { input: USDC, output: USDC, amount: 200n * ONE_USDC };
const DAY = 86_400n;
const NOWHERE: Hex = `0x${'fe'.repeat(32)}`;
const AWAY = () => Promise.resolve({ error: { code: -32_005, message: 'limit exceeded' } });

describe('a chain with several nodes', () => {
  let stack: PaymentStack;
  let service: RunningService;
  const nodes: LyingNode[] = [];

  /** Starts the service with nodes that are honest until they are told to lie. */
  async function startWith(count: number): Promise<[LyingNode, ...LyingNode[]]> {
    stack = await startBehindNodes(nodes, count);
    service = await stack.startProcess();
    const [first, ...others] = nodes;
    if (!first) throw new Error('no nodes');
    return [first, ...others];
  }
  afterEach(async () => {
    await stack.resumeMining();
    await stack.stop();
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
  });

  async function untilScanned(): Promise<void> {
    const head = await stack.node.getBlockNumber({ cacheTime: 0 });
    await eventually(
      async () => {
        const sql = "SELECT block_number AS at FROM chain_cursors WHERE chain = 'alphanet'";
        const [cursor] = await stack.sql<{ at: string }>(sql);
        expect(BigInt(cursor?.at ?? 0)).toBeGreaterThanOrEqual(head);
      },
      { timeoutMs: 60_000 },
    );
  }
  /** Waits for further requests to a node. */
  async function untilAsked({ requests }: LyingNode, method: string, times = 5): Promise<void> {
    const before = requests.get(method) ?? 0;
    await eventually(
      () => {
        expect(requests.get(method) ?? 0).toBeGreaterThanOrEqual(before + times);
      },
      { timeoutMs: 60_000 },
    );
  }
  /** Confirms a payment, and half of its money. */
  async function halfPaid(): Promise<PaymentRecord> {
    const payment = await stack.confirm(service, WISH);
    await stack.send(USDC, payment.walletAddress, WISH.amount / 2n);
    await stack.node.mine({ blocks: 3 });
    await stack.expectToBecome(payment, { deposits: [{ confirmed: true }] });
    return payment;
  }
  /** Expects that the chain is scanned further, and that no deposit was undone meanwhile. */
  async function expectKept({ id }: PaymentRecord): Promise<void> {
    await stack.node.mine({ blocks: 3 });
    await untilScanned();
    const entries = await stack.sql<{ type: string }>(
      "SELECT type FROM timeline_entries WHERE payment_id = $1 AND type = 'deposit.reorganised'",
      [id],
    );
    const { deposits } = await stack.read(id);
    expect({ deposits, entries }).toMatchObject({ deposits: [{ confirmed: true }], entries: [] });
  }
  /** Has a node tell other hashes of the blocks up to a height; returns a wait for two of these lies. */
  function lieAboutHashes({ lies }: LyingNode, upTo: bigint): () => Promise<void> {
    let told = 0;
    lies.set('eth_getBlockByNumber', async (_call, honest) => {
      const given = await honest();
      const block = given.result as { hash: Hex; number: Hex } | null;
      if (block === null || BigInt(block.number) > upTo) return given;
      told += 1;
      return { result: { ...block, hash: `0x${'ab'.repeat(30)}${block.hash.slice(-4)}` } };
    });
    return () =>
      eventually(() => {
        expect(told).toBeGreaterThanOrEqual(2);
      });
  }

  it('is not reset by the low head of one of two', async () => {
    const [liar] = await startWith(2);
    const payment = await halfPaid();
    await stack.node.mine({ blocks: 600 });
    await untilScanned();
    liar.lies.set('eth_blockNumber', () => Promise.resolve({ result: '0x1' }));
    await untilAsked(liar, 'eth_blockNumber');
    await expectKept(payment);
  });

  it('is not reset by the low head of one of three while another is away', async () => {
    const [liar, , away] = await startWith(3);
    const payment = await halfPaid();
    await stack.node.mine({ blocks: 600 });
    await untilScanned();
    liar.lies.set('eth_blockNumber', () => Promise.resolve({ result: '0x1' }));
    away?.lies.set('eth_blockNumber', AWAY);
    await untilAsked(liar, 'eth_blockNumber');
    await expectKept(payment);
  });

  it('is not reset by the low head of the only one of two that answers', async () => {
    const [liar, away] = await startWith(2);
    const payment = await halfPaid();
    await stack.node.mine({ blocks: 600 });
    await untilScanned();
    away?.lies.set('eth_blockNumber', AWAY);
    liar.lies.set('eth_blockNumber', () => Promise.resolve({ result: '0x1' }));
    await untilAsked(liar, 'eth_blockNumber');
    away?.lies.clear();
    await expectKept(payment);
  });

  it('is not reset by the low head of one of two while few blocks are kept', async () => {
    const [liar] = await startWith(2);
    const payment = await halfPaid();
    await untilScanned();
    liar.lies.set('eth_blockNumber', () => Promise.resolve({ result: '0x1' }));
    liar.lies.set('eth_getBlockByNumber', ({ params: [at] }, honest) =>
      BigInt(at as Hex) > 1n ? Promise.resolve({ result: null }) : honest(),
    );
    await untilAsked(liar, 'eth_blockNumber', 10);
    liar.lies.clear();
    await expectKept(payment);
  });

  it('holds behind the kept blocks, where it is no development chain', async () => {
    await startWith(2);
    const rpcUrls = nodes.map(({ url }) => url);
    const chain = new Chain({ definition: { ...stack.chain.definition, name: 'public' }, rpcUrls });
    await stack.sql(
      `INSERT INTO chain_cursors (chain, block_number, block_hash, block_timestamp, epoch)
       VALUES ('public', 1000000, $1, now(), 0)`,
      [NOWHERE],
    );
    const dataSource = service.app.get(DataSource);
    const lease = new Lease({ dataSource, name: 'scanner:public', holder: 'test', ttlMs: 60_000 });
    const held = await lease.acquire();
    const guard = new ScanGuardRepository(dataSource, lease, held?.epoch ?? 0n);
    const scan = service.app.get(ChainScanner).scan(chain, guard);
    await expect(scan).rejects.toThrow(RewindRefusedError);
    const sql = "SELECT block_number AS at FROM chain_cursors WHERE chain = 'public'";
    expect(await stack.sql(sql)).toEqual([{ at: '1000000' }]);
  });

  it('loses no confirmed deposit by a reorg that one of three reports', async () => {
    const [liar] = await startWith(3);
    const payment = await halfPaid();
    await untilScanned();
    await lieAboutHashes(liar, 2n ** 64n)();
    await expectKept(payment);
  });

  it('loses none by a deeper reorg than the others report', async () => {
    const [liar] = await startWith(3);
    const payment = await halfPaid();
    await untilScanned();
    await stack.stopMining();
    await stack.node.mine({ blocks: 2 });
    await untilScanned();
    const untilLied = lieAboutHashes(liar, (await stack.node.getBlockNumber()) - 1n);
    await stack.reorganise(1);
    await untilLied();
    await expectKept(payment);
  });

  it('waits with a reorg while the second of two is away', async () => {
    const [, away] = await startWith(2);
    const payment = await stack.confirm(service, WISH);
    await stack.stopMining();
    // The node has the state of those blocks alone that it has mined since its start.
    await stack.node.mine({ blocks: 3 });
    await stack.alphanet.submit(USDC, payment.walletAddress, WISH.amount / 2n);
    await stack.node.mine({ blocks: 3 });
    await stack.expectToBecome(payment, { deposits: [{ confirmed: true }] });
    away?.lies.set('eth_getBlockByNumber', AWAY);
    await stack.reorganise(4);
    await stack.node.mine({ blocks: 2 });
    if (away) await untilAsked(away, 'eth_getBlockByNumber');
    expect((await stack.read(payment.id)).deposits).toHaveLength(1);
    away?.lies.clear();
    await stack.expectToBecome(payment, { funded: false, deposits: [] });
  });

  it('keeps no wrong time of a block that one of three reports under its hash', async () => {
    const [liar] = await startWith(3);
    await untilScanned();
    await stack.stopMining();
    const first = (await stack.node.getBlockNumber({ cacheTime: 0 })) + 1n;
    let told = 0;
    liar.lies.set('eth_getBlockByNumber', async (_call, honest) => {
      const given = await honest();
      const block = given.result as { number: Hex; timestamp: Hex } | null;
      if (block === null || BigInt(block.number) < first) return given;
      told += 1;
      return { result: { ...block, timestamp: numberToHex(BigInt(block.timestamp) + DAY) } };
    });
    await stack.node.mine({ blocks: 40 });
    await untilScanned();
    expect(told).toBeGreaterThan(0);
    await eventually(
      async () => {
        const { number, timestamp } = await stack.node.getBlock();
        const [cursor] = await stack.sql(
          `SELECT block_number AS number, extract(epoch FROM block_timestamp)::int8 AS timestamp,
             (SELECT count(*) FROM scanned_blocks WHERE chain = 'alphanet'
               AND block_timestamp > to_timestamp($1)) AS wrong
           FROM chain_cursors WHERE chain = 'alphanet'`,
          [Number(timestamp)],
        );
        expect(cursor).toEqual({ number: `${number}`, timestamp: `${timestamp}`, wrong: '0' });
      },
      { timeoutMs: 60_000 },
    );
  });

  it.each([
    ['within', 0],
    ['beyond', 600],
  ])(
    'dates no deposit of a payment set aside by one of three, %s the kept blocks',
    async (_, later) => {
      const [liar] = await startWith(3);
      const payment = await stack.confirm(service, WISH);
      // Three attempts: the first node is asked next.
      await stack.sql(
        `INSERT INTO set_aside_payments (payment_id, chain, attempts, failure, due_at)
       VALUES ($1, 'alphanet', 3, 'set aside by the test', now() + interval '1 day')`,
        [payment.id],
      );
      const hash = await stack.send(USDC, payment.walletAddress, WISH.amount / 2n);
      const { blockNumber } = await stack.node.getTransactionReceipt({ hash });
      const { timestamp } = await stack.node.getBlock({ blockNumber });
      await stack.node.mine({ blocks: 3 + later });
      await untilScanned();
      let told = 0;
      liar.lies.set('eth_getBlockByNumber', async (_call, honest) => {
        const given = await honest();
        const block = given.result as { number: Hex; timestamp: Hex } | null;
        if (block === null || BigInt(block.number) !== blockNumber) return given;
        told += 1;
        return { result: { ...block, timestamp: numberToHex(timestamp + DAY) } };
      });
      await eventually(
        async () => {
          await stack.sql('UPDATE set_aside_payments SET due_at = now() WHERE due_at > now()');
          expect(told).toBeGreaterThan(0);
          expect((await stack.read(payment.id)).deposits).toMatchObject([
            { blockTimestamp: new Date(Number(timestamp) * 1000) },
          ]);
        },
        { timeoutMs: 60_000 },
      );
    },
  );

  it('pays while the blocks of the first one do not follow each other', async () => {
    const [liar] = await startWith(3);
    await untilScanned();
    liar.lies.set('eth_getBlockByNumber', async ({ params: [at] }, honest) => {
      const given = await honest();
      const block = given.result as { parentHash: Hex } | null;
      if (block === null || at === 'latest') return given;
      return { result: { ...block, parentHash: NOWHERE } };
    });
    const payment = await stack.confirm(service, WISH);
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    await stack.node.mine({ blocks: 4 });
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });
});
