import { Chain } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { numberToHex } from 'viem';
import type { Hex } from 'viem';
import { DEFAULT_TIMING } from '../config/payment.config.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { startBehindNodes } from '../testing/behind-nodes.fixture.js';
import type { PaymentStack } from '../testing/payment-stack.fixture.js';
import { ChainScanner } from './chain.scanner.js';
import type { ScanResult } from './chain.scanner.js';
import { ScanLoopWorker } from './scan-loop.worker.js';

const WISH = { input: USDC, output: USDC, amount: 200_000_000n };
const HOUR_MS = 3_600_000;
const PASS = 256n;
const PATIENCE = { timeoutMs: 60_000 };
const AWAY = () => Promise.resolve({ error: { code: -32_005, message: 'limit exceeded' } });

/** Hash of an invented block. */
const INVENTED = '0xee';
const inventedHash = (number: bigint): Hex =>
  `${INVENTED}${'00'.repeat(15)}${number.toString(16).padStart(32, '0')}`;

interface Cursor {
  scanned: string;
  confirmed: string | null;
  witnessed: string | null;
  hash: string;
}

describe('a chain whose nodes are alone, or leave the others', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let loop: ScanLoopWorker | undefined;
  const nodes: LyingNode[] = [];

  async function startWith(count: number): Promise<[LyingNode, ...LyingNode[]]> {
    stack = await startBehindNodes(nodes, count);
    service = await stack.startProcess();
    const [first, ...others] = nodes;
    if (!first) throw new Error('no nodes');
    return [first, ...others];
  }
  afterEach(async () => {
    await loop?.stop();
    loop = undefined;
    await stack.stop();
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
  });

  async function cursor(): Promise<Cursor> {
    const [found] = await stack.sql<Cursor>(
      `SELECT block_number AS scanned, confirmed_block_number AS confirmed,
         witnessed_block_number AS witnessed, block_hash AS hash
       FROM chain_cursors WHERE chain = 'alphanet'`,
    );
    if (!found) throw new Error('the chain is not scanned yet');
    return found;
  }
  const isInvented = ({ hash }: Cursor) => hash.startsWith(INVENTED);

  async function failedPasses(): Promise<number> {
    const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
    const found = /payment_scanner_failed_passes\{.*chain="alphanet".*\} (\d+)\n/.exec(metrics);
    return Number(found?.[1]);
  }

  /** Has a node tell empty blocks of its own after the newest one, and a head that is higher by `ahead`. */
  async function leaveChain({ lies }: LyingNode, ahead: bigint): Promise<void> {
    await eventually(async () => expect(BigInt((await cursor()).scanned)).toBeGreaterThan(0n));
    // No later block may have been scanned before the lies begin.
    await stack.stopMining();
    const last = await stack.node.getBlock();
    const method = 'eth_getBlockByNumber';
    const params = [numberToHex(last.number), false];
    const header: object = await stack.node.transport.request({ method, params });
    lies.set('eth_blockNumber', async (_call, honest) => {
      const { result } = await honest();
      return { result: numberToHex(BigInt(result as Hex) + ahead) };
    });
    lies.set(method, ({ params: [at] }, honest) => {
      const number = at === 'latest' ? last.number : BigInt(at as Hex);
      if (number <= last.number) return honest();
      const parent = number - 1n;
      const block = {
        ...header,
        number: numberToHex(number),
        hash: inventedHash(number),
        parentHash: parent === last.number ? last.hash : inventedHash(parent),
        timestamp: numberToHex(last.timestamp + number - last.number),
        transactions: [],
      };
      return Promise.resolve({ result: block });
    });
    lies.set('eth_getLogs', () => Promise.resolve({ result: [] }));
    await stack.resumeMining();
  }
  const beAway = (away: readonly LyingNode[]) => {
    for (const { lies } of away) {
      for (const method of ['eth_blockNumber', 'eth_getBlockByNumber']) lies.set(method, AWAY);
    }
  };
  /** Waits until a lone node has led the scan as far as one alone can. */
  const untilHeld = () =>
    eventually(async () => {
      expect(await failedPasses()).toBeGreaterThan(2);
      const held = await cursor();
      expect(isInvented(held)).toBe(true);
      expect(BigInt(held.scanned)).toBe(BigInt(held.witnessed ?? 0) + PASS);
      // Two confirmations: the higher head counts for none.
      expect(BigInt(held.confirmed ?? 0)).toBe(BigInt(held.scanned) - 1n);
    }, PATIENCE);

  it('follows a lone high head no further than can be undone, and returns by itself', async () => {
    const [liar, ...others] = await startWith(3);
    const payment = await stack.confirm(service, WISH);
    await leaveChain(liar, 2_000n);
    beAway(others);
    await untilHeld();
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    for (const { lies } of others) lies.clear();
    // Two nodes are asked only about blocks that they have.
    await stack.node.mine({ blocks: 40 });
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(isInvented(await cursor())).toBe(false);
  });

  it('holds while one of two has invented blocks, and goes on once it has them no more', async () => {
    const [liar, other] = await startWith(2);
    const payment = await stack.confirm(service, WISH);
    await leaveChain(liar, 2_000n);
    beAway(other ? [other] : []);
    await untilHeld();
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    other?.lies.clear();
    await stack.node.mine({ blocks: 600 });
    await untilHeld();
    liar.lies.clear();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    await eventually(async () => expect(await failedPasses()).toBe(0));
  });

  it('leaves the fork of its first node, which two others do not have', async () => {
    const [forked] = await startWith(3);
    const payment = await stack.confirm(service, WISH);
    // Always among the nodes that have the agreed head.
    await leaveChain(forked, 50n);
    await stack.node.mine({ blocks: 1 });
    await eventually(async () => expect(isInvented(await cursor())).toBe(true), PATIENCE);
    await stack.send(USDC, payment.walletAddress, WISH.amount);
    await stack.node.mine({ blocks: 600 });
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('begins its scan only with a block that two nodes have', async () => {
    const [liar] = await startWith(3);
    await leaveChain(liar, 50n);
    await stack.stopServices();
    await stack.sql('TRUNCATE chain_cursors, scanned_blocks');
    await stack.node.mine({ blocks: 3 });
    service = await stack.startProcess();
    await eventually(async () => expect((await cursor()).witnessed).not.toBeNull(), PATIENCE);
    const [first] = await stack.sql<{ number: string; hash: Hex }>(
      `SELECT block_number AS number, block_hash AS hash FROM scanned_blocks
       ORDER BY block_number LIMIT 1`,
    );
    const honest = await stack.node.getBlock({ blockNumber: BigInt(first?.number ?? 0) });
    expect(first?.hash).toBe(honest.hash);
  });

  it('is caught up with without a pause between passes, however many they are', async () => {
    await startWith(2);
    await stack.confirm(service, WISH);
    await stack.node.mine({ blocks: 600 });
    const rpcUrls = nodes.map(({ url }) => url);
    const passes: ScanResult[] = [];
    loop = new ScanLoopWorker({
      chain: new Chain({ definition: { ...stack.chain.definition, name: 'public' }, rpcUrls }),
      dataSource: service.app.get(DataSource),
      scanner: service.app.get(ChainScanner),
      context: service.app.get(ServiceContext),
      timing: { ...DEFAULT_TIMING, scanPassMs: { min: HOUR_MS, max: HOUR_MS } },
      passed: (result) => passes.push(result),
      failed: () => undefined,
    });
    loop.start();
    await eventually(() => {
      const last = passes.at(-1);
      expect(last?.scanned).toBeGreaterThan(600n);
      expect(last?.scanned).toBe(last?.head);
    }, PATIENCE);
    const read = passes.map(
      ({ scanned }, pass) => scanned - (passes[pass - 1]?.scanned ?? scanned),
    );
    expect(read.filter((blocks) => blocks > 0n).every((blocks) => blocks <= PASS)).toBe(true);
    expect(passes.length).toBeGreaterThan(2);
  });
});
