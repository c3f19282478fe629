import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import type { LyingNode, RpcAnswer } from '@bascule/testing';
import { numberToHex } from 'viem';
import type { Hash, Hex } from 'viem';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { OWNER } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { startBehindNodes } from '../testing/behind-nodes.fixture.js';
import { payByContract, submitByContract } from '../testing/contract-payments.fixture.js';
import { NATIVE } from '../testing/payment-stack.fixture.js';
import type { PaymentStack, PaymentWish } from '../testing/payment-stack.fixture.js';
import { startUntracedStack } from '../testing/untraced-stack.fixture.js';

const AMOUNT = 10n ** 16n;
const WISH = { input: NATIVE, output: NATIVE, amount: AMOUNT };
const IN_TIME = { ...WISH, expirationSeconds: 300 };

describe('the search for native currency from contracts', () => {
  let stack: PaymentStack;
  let service: RunningService;
  let node: LyingNode;
  let release = (): void => undefined;

  beforeEach(async () => {
    ({ stack, node } = await startUntracedStack());
    service = await stack.startProcess();
  });
  afterEach(async () => {
    release();
    await stack.stop();
    await node.stop();
  });

  async function confirmMany(count: number, wish: PaymentWish = IN_TIME): Promise<PaymentRecord[]> {
    const payments: PaymentRecord[] = [];
    while (payments.length < count) payments.push(await stack.confirm(service, wish));
    return payments;
  }

  /** Mines a block in which a contract pays each of the wallets. */
  async function mineContractPayment(payments: readonly PaymentRecord[], value: bigint) {
    await submitByContract(
      stack,
      payments.map(({ walletAddress: to }) => ({ to, value })),
    );
    await stack.node.mine({ blocks: 1 });
  }

  /** Waits until a payment has a status, and has no search wait for its next turn meanwhile. */
  const searchedUntil = (payment: PaymentRecord, status: PaymentRecord['status']) =>
    eventually(
      async () => {
        await stack.sql(
          `UPDATE native_searches SET due_at = now()
           WHERE NOT is_explained AND due_at < now() + interval '1 minute'`,
        );
        expect((await stack.read(payment.id)).status).toBe(status);
      },
      { timeoutMs: 60_000 },
    );

  const untilExplained = () =>
    eventually(
      async () => {
        await stack.sql('UPDATE native_searches SET due_at = now() WHERE NOT is_explained');
        expect(await stack.sql('SELECT FROM native_searches WHERE NOT is_explained')).toEqual([]);
      },
      { timeoutMs: 60_000 },
    );

  /** Stops the service while a test fills blocks and lets deadlines pass, so that one look sees all of them. */
  async function whileStopped(fill: () => Promise<void>): Promise<void> {
    await stack.stopServices();
    await stack.stopMining();
    await fill();
    await stack.alphanet.letTimePass(400);
    await stack.node.mine({ blocks: 3 });
    await stack.sql('UPDATE payments SET due_at = now()');
    service = await stack.startProcess();
  }

  /** Holds the reads that a search makes, until they are released; returns the number of those that wait. */
  function holdSearches(): () => number {
    const held = Promise.withResolvers<void>();
    let waiting = 0;
    node.lies.set('eth_getBalance', async ({ params: [, block] }, honest): Promise<RpcAnswer> => {
      if (typeof block === 'string' && block.startsWith('0x')) {
        waiting += 1;
        await held.promise;
      }
      return honest();
    });
    release = () => {
      node.lies.clear();
      held.resolve();
    };
    return () => waiting;
  }

  const statusesOf = (payments: readonly PaymentRecord[]) =>
    Promise.all(payments.map(async ({ id }) => (await stack.read(id)).status));

  it('finds what 25 wallets got in the last block before their deadline', async () => {
    const paid = await confirmMany(25);
    const [unpaid] = await confirmMany(1);
    holdSearches();
    await whileStopped(() => mineContractPayment(paid, AMOUNT));
    await stack.expectToBecome(unpaid as PaymentRecord, { status: 'EXPIRED' });
    expect(new Set(await statusesOf(paid))).toEqual(new Set(['PENDING']));
    release();
    await stack.resumeMining();
    for (const payment of paid) await searchedUntil(payment, 'COMPLETE');
  });

  it('finds a large deposit under newer ones of one unit', async () => {
    const payments = await confirmMany(2);
    await whileStopped(async () => {
      await mineContractPayment(payments, AMOUNT);
      for (let count = 0; count < 12; count++) await mineContractPayment(payments, 1n);
    });
    await stack.resumeMining();
    for (const payment of payments) {
      await stack.expectToBecome(payment, { status: 'COMPLETE' });
      const [first] = await stack.sql(
        'SELECT amount::text FROM deposits WHERE payment_id = $1 ORDER BY id LIMIT 1',
        [payment.id],
      );
      expect(first).toEqual({ amount: AMOUNT.toString() });
    }
  });

  it('holds no deadline for less than the payment needs', async () => {
    const attacked = await confirmMany(1);
    holdSearches();
    await whileStopped(() => mineContractPayment(attacked, AMOUNT - 1n));
    for (const payment of attacked) await stack.expectToBecome(payment, { status: 'EXPIRED' });
  });

  it('finds money that comes while an earlier sum is searched for', async () => {
    const paid = await confirmMany(1);
    holdSearches();
    await mineContractPayment(paid, 1n);
    await stack.node.mine({ blocks: 2 });
    await eventually(async () => {
      expect(await stack.sql('SELECT FROM native_searches')).toHaveLength(1);
    });
    await mineContractPayment(paid, AMOUNT);
    await stack.node.mine({ blocks: 2 });
    await eventually(async () => {
      const rows = await stack.sql('SELECT balance::text, holds FROM native_searches');
      expect(rows).toEqual([{ balance: (AMOUNT + 1n).toString(), holds: true }]);
    });
    release();
    for (const payment of paid) await searchedUntil(payment, 'COMPLETE');
  });

  it('counts money once that two turns have found at once', async () => {
    const [payment] = await confirmMany(1, WISH);
    if (!payment) throw new Error('no payment');
    const waiting = holdSearches();
    await mineContractPayment([payment], AMOUNT / 2n);
    await stack.node.mine({ blocks: 2 });
    await eventually(async () => {
      await stack.sql('UPDATE native_searches SET due_at = now() WHERE NOT is_explained');
      expect(waiting()).toBeGreaterThan(1);
    });
    release();
    await untilExplained();
    expect((await stack.read(payment.id)).deposits).toMatchObject([{ amount: AMOUNT / 2n }]);
  });

  it('counts money once after a crash between its record and the end of the turn', async () => {
    const [payment] = await confirmMany(1, WISH);
    if (!payment) throw new Error('no payment');
    await mineContractPayment([payment], AMOUNT / 2n);
    await stack.node.mine({ blocks: 2 });
    await eventually(async () => {
      expect(await stack.sql('SELECT FROM native_searches')).toHaveLength(1);
    });
    await untilExplained();
    await stack.stopServices();
    await stack.sql('UPDATE native_searches SET is_explained = false, due_at = now()');
    service = await stack.startProcess();
    await untilExplained();
    expect((await stack.read(payment.id)).deposits).toMatchObject([
      { amount: AMOUNT / 2n, confirmed: true },
    ]);
  });

  it('holds up neither the scan nor other payments while nodes are slow', async () => {
    const attacked = await confirmMany(20, WISH);
    holdSearches();
    for (let count = 0; count < 4; count++) {
      await mineContractPayment(attacked, 1n);
      await stack.node.mine({ blocks: 1 });
    }
    await eventually(async () => {
      expect(await stack.sql('SELECT FROM native_searches')).toHaveLength(20);
    });
    const other = await stack.confirm(service, { input: USDC, output: USDC, amount: 1_000_000n });
    await stack.send(USDC, other.walletAddress, 1_000_000n);
    await stack.expectToBecome(other, { status: 'COMPLETE' });
    const head = await stack.node.getBlockNumber();
    await eventually(async () => {
      const rows = await stack.sql('SELECT FROM chain_cursors WHERE block_number > $1', [head]);
      expect(rows).toHaveLength(1);
    });
    expect((await stack.read(attacked[0]?.id ?? '')).deposits).toEqual([]);
    release();
    await eventually(
      async () => {
        await stack.sql('UPDATE native_searches SET due_at = now() WHERE NOT is_explained');
        for (const { id } of attacked) expect((await stack.read(id)).deposits).toHaveLength(4);
      },
      { timeoutMs: 60_000 },
    );
  });

  it('holds no deadline for money that comes after it, however often it comes', async () => {
    const [payment] = await confirmMany(1);
    const attacked = [payment as PaymentRecord];
    await whileStopped(async () => {
      await stack.alphanet.letTimePass(400);
      await mineContractPayment(attacked, AMOUNT);
    });
    await eventually(
      async () => {
        await mineContractPayment(attacked, AMOUNT);
        expect(await statusesOf(attacked)).not.toContain('PENDING');
      },
      { timeoutMs: 60_000 },
    );
  });
});

describe('the search for native currency beside a node that lies', () => {
  let stack: PaymentStack;
  const nodes: LyingNode[] = [];

  beforeEach(async () => {
    stack = await startBehindNodes(nodes, 3, { NATIVE_TRANSFERS_ALPHANET: 'blocks' });
  });
  afterEach(async () => {
    await stack.stop();
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
  });

  /** Has money from a contract noted, but not searched for, and stops the service. */
  async function noteWhileStopped(blocks: number) {
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    const away = () => Promise.resolve({ error: { code: -32_005, message: 'limit exceeded' } });
    for (const { lies } of nodes) lies.set('eth_getBalance', away);
    const value = AMOUNT / 2n;
    const hash = await payByContract(stack, [{ to: payment.walletAddress, value }]);
    const { blockNumber } = await stack.node.getTransactionReceipt({ hash });
    await stack.node.mine({ blocks });
    const head = await stack.node.getBlockNumber({ cacheTime: 0 });
    await eventually(
      async () => {
        const sql = 'SELECT FROM chain_cursors, native_searches WHERE block_number >= $1';
        expect(await stack.sql(sql, [head])).toHaveLength(1);
      },
      { timeoutMs: 60_000 },
    );
    await stack.stopServices();
    for (const { lies } of nodes) lies.clear();
    return { payment, value, blockNumber };
  }

  it.each(['trace', 'do not trace', 'fail to trace'])(
    'takes a plain transaction from no single node of three, where the others %s',
    async (conduct) => {
      const { payment, value, blockNumber } = await noteWhileStopped(3);
      const invented: Hex = `0x${'fe'.repeat(32)}`;
      let told = 0;
      nodes[0]?.lies.set('eth_getBlockByNumber', async ({ params: [, isFull] }, honest) => {
        const given = await honest();
        const block = given.result as { number: Hex; transactions: object[] } | null;
        if (block === null || isFull !== true || BigInt(block.number) !== blockNumber) return given;
        told += 1;
        const about = { hash: invented, from: OWNER, to: payment.walletAddress };
        const more = { ...block.transactions[0], ...about, value: numberToHex(value) };
        return { result: { ...block, transactions: [...block.transactions, more] } };
      });
      for (const method of ['trace_block', 'debug_traceBlockByHash']) {
        nodes[0]?.lies.set(method, () => Promise.resolve({ result: [] }));
        const refuse = () =>
          Promise.resolve({ error: { code: -32_601, message: 'no such method' } });
        for (const { lies, senders } of nodes.slice(1)) {
          if (conduct === 'do not trace') lies.set(method, refuse);
          if (conduct !== 'fail to trace') continue;
          senders.set(method, (_text, response) => response.writeHead(500).end());
        }
      }
      nodes[0]?.lies.set('eth_getTransactionReceipt', async ({ params: [hash] }, honest) => {
        if (hash !== invented) return honest();
        const { hash: blockHash } = await stack.node.getBlock({ blockNumber });
        const where = { blockHash, blockNumber: numberToHex(blockNumber), transactionIndex: '0x0' };
        const cost = { cumulativeGasUsed: '0x0', gasUsed: '0x0', effectiveGasPrice: '0x0' };
        const about = {
          transactionHash: hash,
          from: OWNER,
          to: payment.walletAddress,
          type: '0x2',
        };
        return { result: { ...where, ...cost, ...about, status: '0x1', logs: [] } };
      });
      await stack.startProcess();
      await eventually(
        async () => {
          await stack.sql('UPDATE native_searches SET due_at = now() WHERE NOT is_explained');
          const { deposits } = await stack.read(payment.id);
          expect(deposits).toMatchObject([{ amount: value, confirmed: true }]);
          expect(deposits[0]?.transactionHash).not.toBe(invented);
        },
        { timeoutMs: 60_000 },
      );
      expect(told).toBeGreaterThan(0);
    },
  );

  it('takes the sender of a plain transaction that one of three nodes hides', async () => {
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    const hidden = hidePlain(nodes[0], payment.walletAddress);
    const hash = await stack.send(NATIVE, payment.walletAddress, AMOUNT / 2n);
    await expectPaidBy(stack, payment, hash);
    await eventually(() => expect(hidden()).toBeGreaterThan(0));
  });

  it('takes the sender of a plain transaction that one of three nodes shows as one to another wallet', async () => {
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    const squatter = await stack.confirm(service, WISH);
    nodes[0]?.lies.set('eth_getBlockByNumber', async ({ params: [, isFull] }, honest) => {
      const given = await honest();
      const block = given.result as { transactions: { to: string | null }[] } | null;
      if (block === null || isFull !== true) return given;
      const transactions = block.transactions.map((it) =>
        it.to?.toLowerCase() === payment.walletAddress.toLowerCase()
          ? { ...it, to: squatter.walletAddress, value: '0x1' }
          : it,
      );
      return { result: { ...block, transactions } };
    });
    const hash = await stack.send(NATIVE, payment.walletAddress, AMOUNT / 2n);
    await stack.expectToBecome(squatter, { deposits: [{ transactionHash: hash, amount: 1n }] });
    const { from } = await stack.node.getTransaction({ hash });
    await eventually(
      async () => {
        await stack.sql('UPDATE native_searches SET due_at = now() WHERE NOT is_explained');
        expect((await stack.read(payment.id)).deposits).toMatchObject([
          { amount: AMOUNT / 2n, sender: from.toLowerCase(), confirmed: true },
        ]);
      },
      { timeoutMs: 60_000 },
    );
  });

  it('finds money of which one node shows no rise', async () => {
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    let lies = 0;
    nodes[0]?.lies.set('eth_getBalance', async ({ params: [address, block] }, honest) => {
      if (String(address).toLowerCase() !== payment.walletAddress.toLowerCase()) return honest();
      if (block !== 'latest') lies += 1;
      return { result: numberToHex(AMOUNT) };
    });
    await payByContract(stack, [{ to: payment.walletAddress, value: AMOUNT }]);
    await stack.expectToBecome(payment, { status: 'COMPLETE' });
    expect(lies).toBeGreaterThan(0);
    const { deposits } = await stack.read(payment.id);
    expect(deposits).toMatchObject([{ amount: AMOUNT, token: NATIVE }]);
  });

  it.each([
    ['within', 0],
    ['beyond', 600],
  ])('takes the time of a block from no single node, %s the kept blocks', async (_, later) => {
    const { payment, value, blockNumber } = await noteWhileStopped(3 + later);
    const { timestamp } = await stack.node.getBlock({ blockNumber });
    let told = 0;
    nodes[0]?.lies.set('eth_getBlockByNumber', async ({ params: [, isFull] }, honest) => {
      const given = await honest();
      const block = given.result as { number: Hex } | null;
      if (block === null || isFull !== true || BigInt(block.number) !== blockNumber) return given;
      told += 1;
      return { result: { ...block, timestamp: numberToHex(timestamp + 86_400n) } };
    });
    await stack.startProcess();
    await eventually(
      async () => {
        await stack.sql('UPDATE native_searches SET due_at = now() WHERE NOT is_explained');
        expect((await stack.read(payment.id)).deposits).toMatchObject([
          { amount: value, blockTimestamp: new Date(Number(timestamp) * 1000) },
        ]);
      },
      { timeoutMs: 60_000 },
    );
    expect(told).toBeGreaterThan(0);
  });
});

describe('the search for native currency by two nodes', () => {
  let stack: PaymentStack;
  const nodes: LyingNode[] = [];

  beforeEach(async () => {
    stack = await startBehindNodes(nodes, 2, { NATIVE_TRANSFERS_ALPHANET: 'blocks' });
  });
  afterEach(async () => {
    await stack.stop();
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
  });

  it.each([0, 1])('takes the sender of a plain transaction that node %i hides', async (index) => {
    const service = await stack.startProcess();
    const payment = await stack.confirm(service, WISH);
    const hidden = hidePlain(nodes[index], payment.walletAddress);
    const hash = await stack.send(NATIVE, payment.walletAddress, AMOUNT / 2n);
    await expectPaidBy(stack, payment, hash);
    await eventually(() => expect(hidden()).toBeGreaterThan(0));
  });
});

/** Has a node leave plain transactions to a wallet out of its blocks; returns the number of those it has hidden. */
function hidePlain(node: LyingNode | undefined, wallet: string): () => number {
  let hidden = 0;
  node?.lies.set('eth_getBlockByNumber', async ({ params: [, isFull] }, honest) => {
    const given = await honest();
    const block = given.result as { transactions: { to: string | null }[] } | null;
    if (block === null || isFull !== true) return given;
    const shown = block.transactions.filter(({ to }) => to?.toLowerCase() !== wallet.toLowerCase());
    hidden += block.transactions.length - shown.length;
    return { result: { ...block, transactions: shown } };
  });
  return () => hidden;
}

/** Expects that the search finds the transaction that has paid, with its sender. */
async function expectPaidBy(stack: PaymentStack, { id }: PaymentRecord, hash: Hash): Promise<void> {
  const { from } = await stack.node.getTransaction({ hash });
  await eventually(
    async () => {
      await stack.sql('UPDATE native_searches SET due_at = now() WHERE NOT is_explained');
      const { deposits } = await stack.read(id);
      expect(deposits).toMatchObject([{ transactionHash: hash, confirmed: true }]);
      expect(deposits[0]?.sender?.toLowerCase()).toBe(from.toLowerCase());
    },
    { timeoutMs: 60_000 },
  );
}
