import { afterEach, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { ServiceContext } from '@bascule/process';
import { eventually } from '@bascule/testing';
import type { LyingNode } from '@bascule/testing';
import {
  decodeFunctionData,
  encodeFunctionResult,
  getAddress,
  multicall3Abi,
  numberToHex,
  zeroAddress,
} from 'viem';
import type { Hex } from 'viem';
import { DataSource } from 'typeorm';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { startBehindNodes } from '../testing/behind-nodes.fixture.js';
import { GET_BALANCE } from '../testing/balance-calls.fixture.js';
import { payByContract, submitByContract } from '../testing/contract-payments.fixture.js';
import { passDeadline } from '../testing/deadlines.fixture.js';
import { withdrawFromOutside } from '../testing/owner-withdrawal.fixture.js';
import { NATIVE, type PaymentStack } from '../testing/payment-stack.fixture.js';
import { DepositsService } from './deposits.service.js';
import type { Arrival } from './payment-deposits.js';
import { PaymentRecorderService } from './payment-recorder.service.js';
import { PLAIN_POSITION } from './transfers.js';

const ONE_USDC = 1_000_000n;
const ONE_ETHER = 10n ** 18n;
const BLOCK = `0x${'b'.repeat(64)}` as const;
const CALLS = `0x${'c'.repeat(64)}` as const;
const PLAIN = `0x${'a'.repeat(64)}` as const;
const WISH = { input: USDC, output: USDC, amount: 200n * ONE_USDC };
const NATIVE_WISH = { input: NATIVE, output: USDC, amount: ONE_ETHER };

const PATIENCE = { timeoutMs: 60_000 };
const AWAY = () => Promise.resolve({ error: { code: -32_000, message: 'away' } });

describe('a chain whose first node leaves things out', () => {
  let stack: PaymentStack;
  let service: RunningService;
  const nodes: LyingNode[] = [];

  async function startWith(count: number, more: NodeJS.ProcessEnv = {}): Promise<void> {
    stack = await startBehindNodes(nodes, count, more);
    service = await stack.startProcess();
  }
  afterEach(async () => {
    await stack.stop();
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
  });

  const lie = (method: string, change: (result: unknown) => unknown): void => {
    nodes[0]?.lies.set(method, async (_, honest) => ({
      result: change((await honest()).result),
    }));
  };
  const without = (list: unknown, address: string): unknown =>
    (list as object[]).filter((it) => !JSON.stringify(it).toLowerCase().includes(address));

  /** Has the first node leave a wallet out of all logs, blocks, traces and balances. */
  function hide({ walletAddress }: PaymentRecord): void {
    const address = walletAddress.slice(2).toLowerCase();
    lie('eth_getLogs', (logs) => without(logs, address));
    lie('trace_block', (traces) => without(traces, address));
    lie('eth_getBlockByNumber', (block) => {
      const { transactions, ...rest } = block as { transactions: unknown };
      return { ...rest, transactions: without(transactions, address) };
    });
    nodes[0]?.lies.set('eth_call', async ({ params: [call] }, honest) => {
      const { data = '0x', input = data } = call as { data?: Hex; input?: Hex };
      if (!input.includes(address) || !input.includes(GET_BALANCE)) return honest();
      const { args } = decodeFunctionData({ abi: multicall3Abi, data: input });
      const returnData = numberToHex(0, { size: 32 });
      const [calls] = args as readonly [readonly unknown[]];
      const result = calls.map(() => ({ success: true, returnData }));
      return {
        result: encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result }),
      };
    });
  }
  /** A payment with a confirmed deposit, which the first node leaves out from then on. */
  async function confirmedAndHidden() {
    const owner = privateKeyToAccount(generatePrivateKey());
    const payment = await stack.confirm(service, { ...WISH, owner: owner.address });
    const amount = 100n * ONE_USDC;
    await stack.send(USDC, payment.walletAddress, amount);
    await stack.node.mine({ blocks: 2 });
    await stack.expectToBecome(payment, { deposits: [{ confirmed: true }] });
    hide(payment);
    return { payment, owner, amount };
  }
  const failing = () =>
    stack.sql('SELECT FROM chain_cursors WHERE reread_failing_since IS NOT NULL');
  const retryNow = () => stack.sql('UPDATE set_aside_payments SET due_at = now()');
  /** Waits until a payment set aside was retried twice, once by each node first, and returns the reason. */
  const retriedTwice = ({ id }: PaymentRecord, before = 1): Promise<string> =>
    eventually(
      async () => {
        await retryNow();
        const sql = 'SELECT failure, attempts FROM set_aside_payments WHERE payment_id = $1';
        const rows = await stack.sql<{ failure: string; attempts: number }>(sql, [id]);
        expect(rows[0]?.attempts ?? 0).toBeGreaterThan(before);
        return rows[0]?.failure ?? '';
      },
      { timeoutMs: 60_000 },
    );
  const leftOut = async (): Promise<number> => {
    const metrics = await service.app.get(ServiceContext).metrics.metrics();
    const [, value] = /payment_scanner_left_out_total\{[^}]*\} (\d+)/.exec(metrics) ?? [];
    return Number(value);
  };

  it.each([
    ['a token', 'trace_block', WISH],
    ['native currency', 'trace_block', NATIVE_WISH],
    ['native currency', 'blocks', NATIVE_WISH],
  ])('hides no transfer of %s where blocks are read by %s', async (_, way, wish) => {
    await startWith(2, { NATIVE_TRANSFERS_ALPHANET: way });
    expect(await leftOut()).toBe(0);
    const payment = await stack.confirm(service, wish);
    hide(payment);
    const hash = await stack.send(wish.input, payment.walletAddress, wish.amount);
    await stack.node.mine({ blocks: 2 });
    const deposits = [{ transactionHash: hash, amount: wish.amount }];
    await stack.expectToBecome(payment, { deposits });
    await eventually(
      async () => {
        // The honest node may have been scanned, where the other one has failed to answer.
        if ((await leftOut()) === 0) await stack.send(wish.input, payment.walletAddress, 1n);
        await stack.node.mine({ blocks: 2 });
        expect(await leftOut()).toBeGreaterThan(0);
      },
      { timeoutMs: 90_000 },
    );
    nodes[0]?.lies.clear();
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
  });

  it('hides no money that a contract sends, also where blocks come one by one', async () => {
    await startWith(3, { NATIVE_TRANSFERS_ALPHANET: 'blocks', CONFIRMATIONS_ALPHANET: '5' });
    const payment = await stack.confirm(service, NATIVE_WISH);
    hide(payment);
    await submitByContract(stack, [{ to: payment.walletAddress, value: ONE_ETHER }]);
    await eventually(async () => {
      const [cursor] = await stack.sql<{ number: string }>(
        'SELECT block_number AS number FROM chain_cursors',
      );
      // The next one comes only once the last one was scanned.
      if (BigInt(cursor?.number ?? 0) === (await stack.node.getBlockNumber())) {
        await stack.node.mine({ blocks: 1 });
      }
      expect(await stack.read(payment.id)).toMatchObject({ deposits: [{ amount: ONE_ETHER }] });
    }, PATIENCE);
  });

  it('counts a call once that the other one numbers differently', async () => {
    await startWith(2, { NATIVE_TRANSFERS_ALPHANET: 'trace_block' });
    const value = ONE_ETHER / 100n;
    const payment = await stack.confirm(service, { ...NATIVE_WISH, amount: value });
    nodes[1]?.lies.set('trace_block', async (_, honest) => {
      const traces = (await honest()).result as { traceAddress: number[] }[];
      const result = traces.map(({ traceAddress: [at, ...rest], ...trace }) => ({
        ...trace,
        traceAddress: at === undefined ? [] : [at + 7, ...rest],
      }));
      return { result };
    });
    const hash = await payByContract(stack, [{ to: payment.walletAddress, value }]);
    const { blockNumber } = await stack.node.getTransactionReceipt({ hash });
    await eventually(async () => {
      const sql = 'SELECT FROM chain_cursors WHERE reread_block_number >= $1';
      expect(await stack.sql(sql, [blockNumber.toString()])).toHaveLength(1);
    });
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    const { deposits } = await stack.read(payment.id);
    expect(deposits.map(({ amount }) => amount)).toEqual([value]);
  });

  it('hides no withdrawal', async () => {
    await startWith(2);
    const { payment, owner, amount } = await confirmedAndHidden();
    await withdrawFromOutside(stack, payment, owner, { token: USDC, amount, acceptBlame: true });
    await stack.node.mine({ blocks: 2 });
    await stack.expectToBecome(payment, { status: 'WITHDRAWN' });
  });

  it('ends no withdrawal that only the other one shows, until they agree', async () => {
    await startWith(2);
    const { payment, owner, amount } = await confirmedAndHidden();
    lie('eth_getTransactionReceipt', (receipt) => {
      const { logs, ...rest } = receipt as { logs: unknown };
      return { ...rest, logs: without(logs, payment.walletAddress.slice(2).toLowerCase()) };
    });
    await withdrawFromOutside(stack, payment, owner, { token: USDC, amount, acceptBlame: true });
    await stack.node.mine({ blocks: 2 });
    const retried = await retriedTwice(payment);
    expect(retried).toContain('no second node of alphanet confirms');
    // However often it is retried, no node alone ends it.
    await stack.sql('UPDATE set_aside_payments SET attempts = 10');
    const later = await retriedTwice(payment, 11);
    expect(later).toContain('no second node of alphanet confirms');
    nodes[0]?.lies.clear();
    await eventually(
      async () => {
        await retryNow();
        expect((await stack.read(payment.id)).status).toBe('WITHDRAWN');
      },
      { timeoutMs: 60_000 },
    );
  });

  it('hides no deposit of a payment that is set aside', async () => {
    await startWith(2);
    const payment = await stack.confirm(service, WISH);
    await stack.sql(
      `INSERT INTO set_aside_payments (payment_id, chain, failure, due_at)
       VALUES ($1, 'alphanet', 'set aside by the test', now() + interval '1 day')`,
      [payment.id],
    );
    hide(payment);
    const hash = await stack.send(USDC, payment.walletAddress, WISH.amount);
    await stack.node.mine({ blocks: 2 });
    const noted = () =>
      stack.sql('SELECT 1 FROM set_aside_blocks WHERE payment_id = $1', [payment.id]);
    await eventually(async () => expect(await noted()).toHaveLength(1));
    await retryNow();
    await stack.expectToBecome(payment, { deposits: [{ transactionHash: hash }] });
  });

  it('ends no payment set aside alone, while the other one is away', async () => {
    await startWith(2);
    const payment = await stack.confirm(service, WISH);
    await stack.sql(
      `INSERT INTO set_aside_payments (payment_id, chain, failure, due_at, attempts)
       VALUES ($1, 'alphanet', 'set aside by the test', now() + interval '1 day', 10)`,
      [payment.id],
    );
    hide(payment);
    const hash = await stack.send(USDC, payment.walletAddress, WISH.amount);
    await stack.node.mine({ blocks: 2 });
    await eventually(async () => {
      const sql = 'SELECT 1 FROM set_aside_blocks WHERE payment_id = $1';
      expect(await stack.sql(sql, [payment.id])).toHaveLength(1);
    }, PATIENCE);
    nodes[1]?.lies.set('eth_getLogs', AWAY);
    await retriedTwice(payment, 11);
    expect(await stack.read(payment.id)).toMatchObject({ deposits: [] });
    nodes[1]?.lies.clear();
    await eventually(async () => {
      await retryNow();
      expect(await stack.read(payment.id)).toMatchObject({ deposits: [{ transactionHash: hash }] });
    }, PATIENCE);
  });

  it('has payments set aside read without a node that has just failed', async () => {
    await startWith(3);
    const asked: string[] = [];
    nodes[1]?.lies.set('eth_getLogs', ({ params }) => {
      asked.push(JSON.stringify(params).toLowerCase());
      return AWAY();
    });
    /** Sets a payment aside before its deposit comes, and has it read from the first two nodes. */
    const recordAside = async (): Promise<PaymentRecord> => {
      const payment = await stack.confirm(service, WISH);
      const sql = `INSERT INTO set_aside_payments (payment_id, chain, failure, due_at)
        VALUES ($1, 'alphanet', 'set aside by the test', now() + interval '1 day')`;
      await stack.sql(sql, [payment.id]);
      await stack.send(USDC, payment.walletAddress, WISH.amount);
      await stack.node.mine({ blocks: 2 });
      await eventually(async () => {
        const noted = 'SELECT 1 FROM set_aside_blocks WHERE payment_id = $1';
        expect(await stack.sql(noted, [payment.id])).toHaveLength(1);
      }, PATIENCE);
      await eventually(async () => {
        await retryNow();
        const { deposits } = await stack.read(payment.id);
        expect(deposits).toMatchObject([{ amount: WISH.amount }]);
      }, PATIENCE);
      return payment;
    };
    const isAskedFor = ({ walletAddress }: PaymentRecord) =>
      asked.some((params) => params.includes(walletAddress.slice(2).toLowerCase()));
    expect(isAskedFor(await recordAside())).toBe(true);
    expect(isAskedFor(await recordAside())).toBe(false);
  });

  it('is scanned though the other one hangs, which an alert tells', async () => {
    await startWith(2);
    const metrics = () => service.app.get(ServiceContext).metrics.metrics();
    const unread = /payment_scanner_unread_seconds\{[^}]*alphanet[^}]*\} [1-9]/;
    const release = Promise.withResolvers<void>();
    nodes[1]?.lies.set('eth_getLogs', async (_, honest) => {
      await release.promise;
      return honest();
    });
    const payment = await stack.confirm(service, { ...WISH, amount: 20n * ONE_USDC });
    await stack.send(USDC, payment.walletAddress, 20n * ONE_USDC);
    await stack.node.mine({ blocks: 2 });
    await eventually(
      async () => {
        expect(await stack.read(payment.id)).toMatchObject({ deposits: [{ confirmed: true }] });
      },
      { timeoutMs: 60_000 },
    );
    await stack.node.increaseTime({ seconds: 60 });
    await stack.node.mine({ blocks: 2 });
    await eventually(async () => expect(await metrics()).toMatch(unread), PATIENCE);
    release.resolve();
    await eventually(async () => expect(await metrics()).not.toMatch(unread), PATIENCE);
  });

  it('counts no native money again that a rise of the balance, or another tracer, counts', async () => {
    await startWith(2);
    const payment = await stack.confirm(service, NATIVE_WISH);
    const block = { number: 1_000_000n, hash: BLOCK, timestamp: new Date() };
    const to = getAddress(payment.walletAddress);
    const arrival = { ...{ token: zeroAddress, to, amount: 5n, chain: 'alphanet' }, block };
    const rise = { ...arrival, from: null, transactionHash: BLOCK, position: `balance:${to}` };
    const plain = { ...arrival, from: to, transactionHash: PLAIN, position: PLAIN_POSITION };
    const amountsAfter = async (found: Arrival): Promise<bigint[]> => {
      const deposits = service.app.get(DepositsService);
      const arrivals = await deposits.describedArrivals('alphanet', [found]);
      const recorder = service.app.get(PaymentRecorderService);
      const { id } = payment;
      await service.app.get(DataSource).transaction((it) => recorder.record(it, id, arrivals));
      return (await stack.read(id)).deposits.map(({ amount }) => amount);
    };
    expect(await amountsAfter(rise)).toEqual([5n]);
    expect(await amountsAfter(plain)).toEqual([5n]);
    const later = { ...block, hash: PLAIN };
    expect(await amountsAfter({ ...plain, block: later })).toEqual([5n, 5n]);
    // Tracers number one call differently.
    const call = { ...plain, block: { ...block, hash: CALLS }, position: 'trace:0' };
    expect(await amountsAfter(call)).toEqual([5n, 5n, 5n]);
    expect(await amountsAfter({ ...call, position: 'trace:7' })).toEqual([5n, 5n, 5n]);
  });

  /** A payment whose deposit the first node hides while the other one is away. */
  async function paidAndHidden() {
    const payment = await stack.confirm(service, WISH);
    hide(payment);
    nodes[1]?.lies.set('eth_getLogs', AWAY);
    const hash = await stack.send(USDC, payment.walletAddress, WISH.amount);
    await stack.node.mine({ blocks: 2 });
    const { blockNumber } = await stack.node.getTransactionReceipt({ hash });
    await eventually(async () => {
      const sql = 'SELECT FROM chain_cursors WHERE confirmed_block_number >= $1';
      expect(await stack.sql(sql, [blockNumber.toString()])).toHaveLength(1);
    }, PATIENCE);
    expect(await stack.read(payment.id)).toMatchObject({ deposits: [] });
    return { payment, hash };
  }

  it('lets no payment expire before the other one is read', async () => {
    await startWith(2);
    const { payment, hash } = await paidAndHidden();
    await passDeadline(stack, payment, 300);
    expect(await stack.read(payment.id)).toMatchObject({ status: 'PENDING', deposits: [] });
    nodes[1]?.lies.clear();
    const deposits = [{ transactionHash: hash, confirmed: true }];
    await stack.expectToBecome(payment, { status: 'COMPLETE', deposits });
  });

  it('has deadlines wait for the other one for ten minutes at most', async () => {
    await startWith(2);
    const payment = await stack.confirm(service, WISH);
    nodes[1]?.lies.set('eth_getLogs', AWAY);
    const failsSince = async (minutes: number) => {
      await eventually(async () => expect(await failing()).toHaveLength(1), PATIENCE);
      const sql = `UPDATE chain_cursors SET reread_failing_since = now() - $1 * interval '1 minute'`;
      await stack.sql(sql, [minutes]);
    };
    await passDeadline(stack, payment, 10);
    await failsSince(1);
    await passDeadline(stack, payment, 3_600);
    expect(await stack.read(payment.id)).toMatchObject({ status: 'PENDING' });
    await failsSince(11);
    await stack.expectToBecome(payment, { status: 'EXPIRED' });
  });

  it('has no stop forget since when the other one fails', async () => {
    await startWith(2);
    nodes[1]?.lies.set('eth_getLogs', AWAY);
    await eventually(async () => expect(await failing()).toHaveLength(1), PATIENCE);
    let isAsked = false;
    nodes[1]?.lies.set('eth_getLogs', () => {
      isAsked = true;
      return new Promise(() => undefined);
    });
    await eventually(() => expect(isAsked).toBe(true), PATIENCE);
    await stack.stopProcess(service);
    expect(await failing()).toHaveLength(1);
  });

  it('is read from both where one told blocks and the other one their withdrawals', async () => {
    await startWith(2, { CONFIRMATIONS_ALPHANET: '5' });
    const cursor = async () => {
      const [row] = await stack.sql<Record<'scanned' | 'final' | 'reread', string>>(
        `SELECT block_number AS scanned, confirmed_block_number AS final,
           reread_block_number AS reread FROM chain_cursors`,
      );
      return row ?? { scanned: '0', final: '0', reread: '0' };
    };
    await stack.node.mine({ blocks: 4 });
    const newest = await stack.node.getBlockNumber();
    await eventually(async () => expect(BigInt((await cursor()).scanned)).toBe(newest), PATIENCE);
    nodes[0]?.lies.set('eth_getLogs', AWAY);
    await stack.node.mine({ blocks: 6 });
    await eventually(async () => {
      expect(BigInt((await cursor()).final)).toBeGreaterThan(newest);
    }, PATIENCE);
    const sql = 'SELECT read_from AS node FROM scanned_blocks WHERE block_number = $1';
    expect(await stack.sql(sql, [newest.toString()])).toEqual([{ node: null }]);
    expect(BigInt((await cursor()).reread)).toBeLessThan(newest);
    nodes[0]?.lies.clear();
    await eventually(async () => {
      expect(BigInt((await cursor()).reread)).toBeGreaterThan(newest);
    }, PATIENCE);
  });

  it('hides nothing for longer than the other one is away', async () => {
    await startWith(2);
    const { payment, hash } = await paidAndHidden();
    nodes[1]?.lies.clear();
    await stack.expectToBecome(payment, { deposits: [{ transactionHash: hash }] });
  });
});
