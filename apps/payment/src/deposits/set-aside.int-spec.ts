import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { DataSource } from 'typeorm';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { withdrawFromOutside } from '../testing/owner-withdrawal.fixture.js';
import { PaymentStack } from '../testing/payment-stack.fixture.js';
import { DepositWitnessesService } from './deposit-witnesses.service.js';
import { PaymentRecorderService } from './payment-recorder.service.js';
import { SetAsideRepository } from './set-aside.repository.js';

const ONE_USDC = 1_000_000n;
const WISH = { input: USDC, output: USDC, amount: 10n * ONE_USDC };

describe('a payment whose deposits cannot be recorded', () => {
  let stack: PaymentStack;
  let service: RunningService;

  beforeAll(async () => {
    stack = await PaymentStack.start({ CONFIRMATIONS_ALPHANET: '2' });
    await stack.sql(
      `CREATE FUNCTION payment.refuse() RETURNS trigger LANGUAGE plpgsql
       AS $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$`,
    );
  });
  afterEach(async () => {
    await accept();
    await stack.stopServices();
    await stack.resumeMining();
  });
  afterAll(() => stack.stop());

  /** Makes the database refuse writes of its deposits. */
  const refuse = ({ id }: PaymentRecord, write: 'INSERT' | 'UPDATE') =>
    stack.sql(
      `CREATE TRIGGER refuse BEFORE ${write} ON payment.deposits FOR EACH ROW
       WHEN (NEW.payment_id = '${id}') EXECUTE FUNCTION payment.refuse()`,
    );
  const accept = () => stack.sql('DROP TRIGGER IF EXISTS refuse ON payment.deposits');

  const isAside = async ({ id }: PaymentRecord): Promise<boolean> => {
    const sql = 'SELECT FROM payment.set_aside_payments WHERE payment_id = $1';
    return (await stack.sql(sql, [id])).length > 0;
  };
  const untilAside = (payment: PaymentRecord) =>
    eventually(async () => {
      expect(await isAside(payment)).toBe(true);
    });
  /** Lets the database accept its deposits, and has them retried at once. */
  async function heal(payment: PaymentRecord): Promise<void> {
    await accept();
    await eventually(
      async () => {
        await stack.sql('UPDATE payment.set_aside_payments SET due_at = now()');
        expect(await isAside(payment)).toBe(false);
      },
      { timeoutMs: 30_000 },
    );
  }

  it('is set aside with an alert, keeps its deadline open across a restart, and is paid out later', async () => {
    service = await stack.startProcess();
    const broken = await stack.confirm(service, { ...WISH, expirationSeconds: 4 });
    const unfunded = await stack.confirm(service, { ...WISH, expirationSeconds: 4 });
    const other = await stack.confirm(service, WISH);
    await refuse(broken, 'INSERT');
    for (const { walletAddress } of [broken, other]) {
      await stack.send(USDC, walletAddress, WISH.amount);
    }
    await stack.expectToBecome(other, { status: 'COMPLETE' });
    await untilAside(broken);
    expect(await (await fetch(`${service.operationsUrl}/metrics`)).text()).toMatch(
      /payments_set_aside\{.*chain="alphanet".*\} 1\n/,
    );
    await stack.stopServices();
    await stack.startProcess();
    await stack.expectToBecome(unfunded, { status: 'EXPIRED' });
    expect(await stack.read(broken.id)).toMatchObject({ status: 'PENDING', deposits: [] });
    await heal(broken);
    await stack.expectToBecome(broken, { status: 'COMPLETE' });
  });

  it('is on a metric with an alert, like all alerts of the service', async () => {
    service = await stack.startProcess();
    const rules = readFileSync(resolve('apps/payment/alerts.yaml'), 'utf8');
    const gauges = [...rules.matchAll(/expr: .*\((\w+)\) > \d+/g)].map(([, name = '']) => name);
    const counters = [
      ...rules.matchAll(/expr: .*\(increase\((\w+)(?:\{(\w+="\w+")\})?\[1h\]\)\) > \d+/g),
    ].map(([, name = '', label = '']) => ({ name, label }));
    expect([...gauges, ...counters]).toHaveLength(rules.match(/- alert:/g)?.length ?? 0);
    expect(gauges).toEqual(
      expect.arrayContaining([
        'payments_set_aside',
        'payment_scanner_lag_seconds',
        'payment_native_search_seconds',
        'payment_native_uncompared_seconds',
        'venue_shortfall_ppm',
      ]),
    );
    expect(counters).toEqual([
      { name: 'payment_scanner_left_out_total', label: '' },
      { name: 'payment_scanner_skipped_total', label: '' },
      { name: 'chain_transactions_settled_total', label: 'status="reverted"' },
    ]);
    const metrics = await (await fetch(`${service.operationsUrl}/metrics`)).text();
    for (const name of gauges) expect(metrics).toContain(`# TYPE ${name} gauge`);
    // From zero on, so that the first event is an increase.
    for (const { name, label } of counters) {
      expect(metrics).toMatch(
        new RegExp(`^${name}\\{(?=.*chain="alphanet").*${label}.*\\} 0$`, 'm'),
      );
    }
  });

  it('has its deposits confirmed later, while others are confirmed', async () => {
    service = await stack.startProcess();
    const broken = await stack.confirm(service, WISH);
    const other = await stack.confirm(service, WISH);
    await refuse(broken, 'UPDATE');
    for (const { walletAddress } of [broken, other]) {
      await stack.send(USDC, walletAddress, WISH.amount);
    }
    await stack.expectToBecome(other, { status: 'COMPLETE' });
    await untilAside(broken);
    await heal(broken);
    await stack.expectToBecome(broken, { status: 'COMPLETE' });
  });

  it('takes turns with others once it has more work than one retry does', async () => {
    service = await stack.startProcess();
    const broken = await stack.confirm(service, WISH);
    await asideWithDeposit(broken);
    for (let count = 0; count < 25; count += 1) {
      await stack.send(USDC, broken.walletAddress, 1n);
    }
    const noted = 'SELECT FROM payment.set_aside_blocks WHERE payment_id = $1';
    await eventually(async () => {
      expect((await stack.sql(noted, [broken.id])).length).toBeGreaterThan(25);
    });
    const aside = service.app.get(SetAsideRepository);
    const takeTurns = aside.takeTurns.bind(aside);
    const holders: string[] = [];
    aside.takeTurns = async (...asked) => {
      await takeTurns(...asked);
      const sql = 'SELECT holder FROM payment.set_aside_payments WHERE payment_id = $1';
      const rows = await stack.sql<{ holder: string }>(sql, [broken.id]);
      holders.push(...rows.map(({ holder }) => holder));
    };
    await heal(broken);
    expect(holders[0]).toBe(`alphanet/${broken.orgId}`);
    await stack.expectToBecome(broken, { status: 'COMPLETE' });
    const { deposits } = await stack.read(broken.id);
    expect(deposits.reduce((sum, { amount }) => sum + amount, 0n)).toBe(WISH.amount + 25n);
  });

  it('is noted once, with all its blocks and the lowest height, however often a pass finds it', async () => {
    service = await stack.startProcess();
    const [payment, other] = [
      await stack.confirm(service, WISH),
      await stack.confirm(service, WISH),
    ];
    const repository = service.app.get(SetAsideRepository);
    const ofBoth = await service.app.get(DataSource).transaction(async (manager) => {
      const error = new Error('failed by the test');
      await repository.put(manager, 'alphanet', [
        { paymentId: payment.id, blocks: [4n], error },
        { paymentId: other.id, blocks: [], reorgFrom: 6n, isInTurn: true },
        { paymentId: payment.id, blocks: [3n, 4n], reorgFrom: 7n },
        { paymentId: payment.id, blocks: [], reorgFrom: 5n },
      ]);
      const rows: unknown[] = await manager.query(
        `SELECT payment_id AS id, reorg_from::int AS "reorgFrom", failure, holder IS NOT NULL AS "isInTurn",
           ARRAY(SELECT block_number::int FROM set_aside_blocks b
             WHERE b.payment_id = a.payment_id ORDER BY 1) AS blocks
         FROM set_aside_payments a ORDER BY reorg_from`,
      );
      await manager.query('DELETE FROM set_aside_payments');
      await manager.query('DELETE FROM set_aside_blocks');
      return rows;
    });
    expect(ofBoth).toEqual([
      {
        id: payment.id,
        reorgFrom: 5,
        failure: 'failed by the test',
        isInTurn: false,
        blocks: [3, 4],
      },
      { id: other.id, reorgFrom: 6, failure: 'waits for its turn', isInTurn: true, blocks: [] },
    ]);
  });

  // The worker retries several at a time; each once held one connection and waited for another.
  it('is retried on a single connection', async () => {
    service = await stack.startProcess({ DATABASE_POOL_SIZE: '1' });
    const broken = await stack.confirm(service, WISH);
    await refuse(broken, 'INSERT');
    await stack.send(USDC, broken.walletAddress, WISH.amount);
    await untilAside(broken);
    await heal(broken);
    await stack.expectToBecome(broken, { status: 'COMPLETE' });
  });

  it('has no deposit that a reorg removed meanwhile', async () => {
    service = await stack.startProcess();
    const broken = await stack.confirm(service, WISH);
    await stack.send(USDC, broken.walletAddress, ONE_USDC);
    await stack.expectToBecome(broken, { funded: true });
    await refuse(broken, 'INSERT');
    await stack.stopMining();
    const sending = stack.send(USDC, broken.walletAddress, WISH.amount);
    await eventually(async () => {
      const { transactions } = await stack.node.getBlock({ blockTag: 'pending' });
      expect(transactions).toHaveLength(1);
    });
    await stack.node.mine({ blocks: 1 });
    const { blockNumber } = await stack.node.getTransactionReceipt({ hash: await sending });
    await untilAside(broken);
    const head = await stack.node.getBlockNumber();
    await stack.reorganise(Number(head - blockNumber) + 1);
    expect(await stack.balance(USDC, broken.walletAddress)).toBe(ONE_USDC);
    await stack.node.mine({ blocks: 4 });
    await heal(broken);
    const { deposits } = await stack.read(broken.id);
    expect(deposits.map(({ amount }) => amount)).toEqual([ONE_USDC]);
  });

  /** Sets a payment aside with a deposit, in the block that is returned. */
  async function asideWithDeposit(payment: PaymentRecord): Promise<bigint> {
    await refuse(payment, 'INSERT');
    const hash = await stack.send(USDC, payment.walletAddress, WISH.amount);
    const { blockNumber } = await stack.node.getTransactionReceipt({ hash });
    await untilAside(payment);
    return blockNumber;
  }
  /** Notes a reorg as the scanner does, which has its own transaction. */
  async function noteReorg({ id }: PaymentRecord, from: bigint): Promise<void> {
    const values = [id, from.toString()];
    await stack.sql(
      'UPDATE payment.set_aside_payments SET reorg_from = $2 WHERE payment_id = $1',
      values,
    );
    await stack.sql(
      `INSERT INTO payment.set_aside_blocks (payment_id, chain, block_number)
       VALUES ($1, 'alphanet', $2) ON CONFLICT DO NOTHING`,
      values,
    );
  }

  it('keeps a deposit that is recorded while a reorg of its block is noted', async () => {
    service = await stack.startProcess();
    const broken = await stack.confirm(service, WISH);
    const block = await asideWithDeposit(broken);
    const recorder = service.app.get(PaymentRecorderService);
    const record = recorder.record.bind(recorder);
    let notes = 0;
    recorder.record = async (manager, paymentId, arrivals) => {
      const recorded = await record(manager, paymentId, arrivals);
      if (paymentId === broken.id && notes === 0) {
        notes += 1;
        await noteReorg(broken, block);
      }
      return recorded;
    };
    await heal(broken);
    expect(notes).toBe(1);
    await stack.expectToBecome(broken, { status: 'COMPLETE' });
  });

  it('keeps what is recorded after a reorg where an older retry of the reorg goes on', async () => {
    service = await stack.startProcess();
    const broken = await stack.confirm(service, WISH);
    const block = await asideWithDeposit(broken);
    await noteReorg(broken, block);
    const recorder = service.app.get(PaymentRecorderService);
    const confirm = recorder.confirm.bind(recorder);
    let confirms = 0;
    recorder.confirm = (manager, paymentId, ...asked) => {
      confirms += paymentId === broken.id ? 1 : 0;
      if (confirms === 1) throw new Error('interrupted by the test');
      return confirm(manager, paymentId, ...asked);
    };
    const aside = service.app.get(SetAsideRepository);
    const workOf = aside.workOf.bind(aside);
    aside.workOf = async (...asked) =>
      confirms === 1 ? { reorgFrom: block, blocks: [] } : workOf(...asked);
    await heal(broken);
    await stack.expectToBecome(broken, { status: 'COMPLETE' });
    expect(confirms).toBeGreaterThan(1);
  });

  it('has no deposit confirmed while a reorg of its block is left', async () => {
    service = await stack.startProcess();
    const broken = await stack.confirm(service, WISH);
    const block = await asideWithDeposit(broken);
    const witnesses = service.app.get(DepositWitnessesService);
    const require = witnesses.require.bind(witnesses);
    let notes = 0;
    witnesses.require = async (...asked) => {
      notes += 1;
      if (notes === 1) await noteReorg(broken, block);
      return require(...asked);
    };
    const recorder = service.app.get(PaymentRecorderService);
    const forget = recorder.forget.bind(recorder);
    const forgotten: (boolean | undefined)[] = [];
    recorder.forget = async (...asked) => {
      forgotten.push((await stack.read(broken.id)).deposits[0]?.confirmed);
      await forget(...asked);
    };
    await heal(broken);
    await stack.expectToBecome(broken, { status: 'COMPLETE' });
    expect(forgotten).toEqual([false]);
  });

  it('has its withdrawal from outside recorded later', async () => {
    service = await stack.startProcess();
    const owner = privateKeyToAccount(generatePrivateKey());
    const broken = await stack.confirm(service, { ...WISH, owner: owner.address });
    await refuse(broken, 'INSERT');
    await stack.send(USDC, broken.walletAddress, ONE_USDC);
    await untilAside(broken);
    const { hash } = await withdrawFromOutside(stack, broken, owner, {
      token: USDC,
      amount: ONE_USDC,
      acceptBlame: true,
    });
    await stack.node.waitForTransactionReceipt({ hash });
    const later = await stack.confirm(service, WISH);
    await stack.send(USDC, later.walletAddress, WISH.amount);
    await stack.expectToBecome(later, { status: 'COMPLETE' });
    expect(await stack.read(broken.id)).toMatchObject({ status: 'PENDING', withdrawals: [] });
    await heal(broken);
    await stack.expectToBecome(broken, { status: 'WITHDRAWN' });
  });
});
