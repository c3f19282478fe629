import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordDeposit } from '../life-cycle/funding.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { aDeposit } from '../testing/a-payment.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

describe('the deadlines of payments', () => {
  let client: PaymentServiceClient;
  beforeAll(async () => {
    client = await PaymentServiceClient.start();
  });
  afterAll(() => client.stop());

  /** The deadline passes, by the clock of the database. */
  const pass = (paymentId: string) =>
    client.admin.query(
      `UPDATE payments SET due_at = now(), initiate_fund_by = now() - interval '5 s' WHERE id = $1`,
      [paymentId],
    );
  const scannedUpTo = (interval: string) =>
    client.admin.query(
      `INSERT INTO chain_cursors (chain, block_number, block_hash, block_timestamp,
         confirmed_block_number, confirmed_block_timestamp, epoch)
       VALUES ('alphanet', 10, '0x', now(), 9, now() - $1::interval, 1)
       ON CONFLICT (chain) DO UPDATE SET
         confirmed_block_timestamp = excluded.confirmed_block_timestamp`,
      [interval],
    );
  const looked = (paymentId: string) =>
    eventually(async () => {
      const rows: { later: boolean }[] = await client.admin.query(
        'SELECT due_at > now() AS later FROM payments WHERE id = $1',
        [paymentId],
      );
      expect(rows[0]?.later ?? true).toBe(true);
    });

  it('wait for the scanner', async () => {
    const { payment_id } = await client.confirmed();
    await pass(payment_id);
    await looked(payment_id);
    expect((await client.status(payment_id)).status).toBe('PENDING');
    await scannedUpTo('10 s');
    await looked(payment_id);
    expect((await client.status(payment_id)).status).toBe('PENDING');
    expect(await client.status(payment_id)).not.toHaveProperty('next_instruction');
    await scannedUpTo('1 s');
    await eventually(async () => {
      expect(await client.status(payment_id)).toMatchObject({
        status: 'EXPIRED',
        funded: false,
        completed_at: expect.any(String),
      });
    });
    await eventually(async () => {
      const events = await client.events(payment_id);
      expect(events.at(-1)?.type).toBe('payment.expired');
    });
  });

  it('keep a payment that was funded in time and scanned late', async () => {
    await scannedUpTo('1 s');
    const { payment_id, initiate_fund_by } = await client.confirmed();
    const deposit = aDeposit({ blockTimestamp: new Date(Date.parse(initiate_fund_by) - 700_000) });
    await client.service.app
      .get(PaymentStoreRepository)
      .changeNow(payment_id, (payment) => recordDeposit(payment, deposit));
    await pass(payment_id);
    await eventually(async () => {
      const rows: { untilExpiry: boolean }[] = await client.admin.query(
        `SELECT due_at = declaration_expires_at AS "untilExpiry" FROM payments WHERE id = $1`,
        [payment_id],
      );
      expect(rows[0]?.untilExpiry).toBe(true);
    });
    expect((await client.status(payment_id)).status).toBe('PENDING');
  });
});
