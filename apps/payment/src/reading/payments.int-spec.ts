import type { PaymentState } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { recordDeposit } from '../life-cycle/funding.js';
import { legSettled, legSubmitted } from '../life-cycle/legs.js';
import { PaymentReaderRepository, READ_PAYMENT } from '../persistence/payment-reader.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { aDeposit, aSettlement, HASH } from '../testing/a-payment.fixture.js';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

describe('GET /payments', () => {
  let client: PaymentServiceClient;
  let payments: PaymentStoreRepository;
  beforeAll(async () => {
    client = await PaymentServiceClient.start();
    payments = client.service.app.get(PaymentStoreRepository);
  });
  afterAll(() => client.stop());

  const get = (query: string, caller = {}) => client.request(`/payments${query}`, { caller });
  const now = () => new Date();

  it('shows the answer of confirm immediately', async () => {
    const confirmed = await client.confirmed();
    expect(await client.status(confirmed.payment_id)).toEqual(confirmed);
    expect(await client.status(confirmed.payment_id.toUpperCase())).toEqual(confirmed);
  });

  it('refuses a missing or malformed id', async () => {
    for (const query of ['', '?payment_id=', '?payment_id=seven', '?payment_id[]=a']) {
      const { status, body } = await get(query);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { errors: [{ code: expect.any(String), path: ['payment_id'] }] },
      });
    }
    const { payment_id } = await client.confirmed();
    const flag = await get(`?payment_id=${payment_id}&enable_withdraw_pending=perhaps`);
    expect(flag.body).toMatchObject({ errors: [{ path: ['enable_withdraw_pending'] }] });
  });

  it('returns not found for unknown ids and refuses another organisation’s payment', async () => {
    expect((await get(`?payment_id=${uuidv7()}`)).status).toBe(404);
    const { payment_id } = await client.confirmed();
    const stranger = { orgId: '0190b2c3-0000-7000-8000-0000000000ff' };
    expect((await get(`?payment_id=${payment_id}`, stranger)).status).toBe(403);
    expect((await get(`?payment_id=${payment_id}`, { permissions: [] })).status).toBe(403);
  });

  it('follows a payment to its end', async () => {
    const { payment_id } = await client.confirmed();
    const deposit = aDeposit({ amount: 101_000_000n, blockTimestamp: now() });
    await payments.changeNow(payment_id, (payment) => recordDeposit(payment, deposit));
    const funded = await client.status(payment_id);
    expect(funded).toMatchObject({
      status: 'PENDING',
      funded: true,
      issues: [{ kind: 'parked_fund', classification: 'EXTRA', balance: { '#': '1000000' } }],
    });
    expect(funded).not.toHaveProperty('next_instruction');
    expect(funded).not.toHaveProperty('completed_at');

    const sent = { attempt: 1, nextLookAt: null };
    await payments.changeNow(payment_id, (payment) => legSubmitted(payment, 0, sent));
    await payments.changeNow(payment_id, (payment, time) =>
      legSettled(payment, 0, aSettlement(), HASH, time),
    );
    expect(await client.status(payment_id)).toMatchObject({
      status: 'COMPLETE',
      completed_at: expect.any(String),
      fulfilled: {
        output_amount: { asset: WETH, amount: '0.0329' },
        route: [
          { type: 'USER_FUND', status: 'COMPLETE', transaction_hash: deposit.transactionHash },
          { type: 'ONCHAIN_STEP', status: 'COMPLETE', transaction_hash: HASH },
        ],
        fees: { total_fees: '1.3', network_fees: '1' },
      },
      issues: [{ classification: 'EXTRA', balance: { '#': '1000000' } }],
    });
    await eventually(async () => {
      const events = await client.events<PaymentState>(payment_id);
      expect(events.map(({ type, data }) => [type, data.version])).toEqual([
        ['payment.confirmed', 1],
        ['payment.funded', 2],
        ['payment.updated', 3],
        ['payment.completed', 4],
      ]);
      expect(events.at(-1)?.data.payment).toEqual(await client.status(payment_id));
    });
  });

  it('keeps asking for the rest while the payment is underfunded', async () => {
    const { payment_id } = await client.confirmed();
    const deposit = aDeposit({ amount: 1_000_000n, blockTimestamp: now() });
    await payments.changeNow(payment_id, (payment) => recordDeposit(payment, deposit));
    expect(await client.status(payment_id)).toMatchObject({
      funded: true,
      next_instruction: { type: 'ONRAMP' },
      issues: [{ classification: 'UNDERFUNDED', token: USDC, severity: 'HIGH' }],
    });
  });

  it('stores every concurrent change', async () => {
    const { payment_id } = await client.confirmed();
    const deposits = Array.from({ length: 12 }, () =>
      aDeposit({ amount: 10_000_000n, blockTimestamp: now() }),
    );
    await Promise.all(
      deposits.map((deposit) =>
        payments.changeNow(payment_id, (payment) => recordDeposit(payment, deposit)),
      ),
    );
    const found = await client.service.app.get(PaymentReaderRepository).find(payment_id);
    expect(found?.payment).toMatchObject({ version: 13, fundedInFullAt: expect.any(Date) });
    expect(found?.payment.deposits).toHaveLength(12);
    await eventually(async () => {
      const versions = (await client.events<PaymentState>(payment_id)).map(
        ({ data }) => data.version,
      );
      expect(versions).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
    });
  });

  it('stores a change completely or not at all', async () => {
    const { payment_id } = await client.confirmed();
    const dataSource = client.service.app.get(DataSource);
    const change = dataSource.transaction(async (manager) => {
      const deposit = aDeposit({ blockTimestamp: now() });
      await payments.change(manager, payment_id, (payment) => recordDeposit(payment, deposit));
      throw new Error('the caller’s own part failed');
    });
    await expect(change).rejects.toThrow('own part');
    expect(await client.status(payment_id)).toMatchObject({ funded: false });
    expect(await payments.changeNow(uuidv7(), (payment) => payment)).toBeNull();
    const outside = payments.change(dataSource.manager, payment_id, (payment) => payment);
    await expect(outside).rejects.toThrow('transaction');
  });

  it('counts open and ended payments, and reports the age of the oldest', async () => {
    const { payment_id } = await client.confirmed();
    const deposit = aDeposit({ blockTimestamp: now() });
    await payments.changeNow(payment_id, (payment) => recordDeposit(payment, deposit));
    await client.admin.query(
      `UPDATE payments SET funded_in_full_at = now() - interval '1 h' WHERE id = $1`,
      [payment_id],
    );
    const text = await (await fetch(`${client.service.operationsUrl}/metrics`)).text();
    const valueOf = (series: string): number =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      );
    expect(valueOf('payments_open{status="PENDING",mode="live"}')).toBeGreaterThan(0);
    expect(valueOf('payments_status_changes_total{status="COMPLETE",mode="live"}')).toBe(1);
    expect(valueOf('payments_oldest_funded_seconds{mode="live"}')).toBeGreaterThanOrEqual(3_600);
  });

  it('reads by indexes only', async () => {
    const { payment_id } = await client.confirmed();
    const dataSource = client.service.app.get(DataSource);
    const plan: Record<string, string>[] = await dataSource.transaction(async (manager) => {
      // On tables of a few rows the planner would rather read them whole.
      await manager.query('SET LOCAL enable_seqscan = off');
      return manager.query(`EXPLAIN ${READ_PAYMENT}`, [payment_id]);
    });
    const lines = plan.map((row) => Object.values(row)[0]).join('\n');
    expect(lines).not.toContain('Seq Scan');
    for (const index of ['payments_pkey', 'legs_payment_id_leg_index_idx', 'withdrawals_pkey']) {
      expect(lines).toContain(index);
    }
  });
});
