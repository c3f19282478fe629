import type { ErrorBody, OrganisationState, WithdrawResponse } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import { ORGANISATION, startStage, USDC } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const owner = privateKeyToAddress(generatePrivateKey());

describe('the quota of withdrawals that wait for a signature', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
    await stage.restart({ MAX_UNSIGNED_WITHDRAWALS: '2' });
  });
  afterAll(() => stage.stop());

  it('refuses the withdrawal beyond it, but no replay, until one ends or an operator raises it', async () => {
    const payment = aPayment(owner);
    await stage.publish('payment', 'payment.updated', payment.id, payment.state);
    await stage.fund(USDC, payment.wallet, 40_000_000n);
    const body = {
      payment_id: payment.id,
      token_amounts: [{ token: USDC, amount: '40' }],
      recipient_address: owner,
    };
    const ask = (headers: Record<string, string> = {}) =>
      stage.call<WithdrawResponse & ErrorBody>('/payments/withdraw', body, ORGANISATION, headers);
    const accepted = () => eventually(async () => expect((await ask()).status).toBe(200));
    const refused = (quota: number) =>
      eventually(async () => {
        const { status, body } = await ask();
        const message = expect.stringContaining(`${quota} unsigned withdrawals`);
        expect({ status, body }).toEqual({
          status: 429,
          body: { errors: [{ kind: 'other', message }] },
        });
      });
    const database = stage.service().app.get(DataSource);
    const key = { 'idempotency-key': 'one-withdrawal' };
    const first = await eventually(async () => {
      const answer = await ask(key);
      expect(answer.status).toBe(200);
      return answer;
    });
    await accepted();
    await refused(2);
    const repeated = await ask(key);
    expect([repeated.status, repeated.body]).toEqual([200, first.body]);
    expect(await database.query('SELECT id FROM withdrawals')).toHaveLength(2);

    await database.query(
      `UPDATE withdrawals SET expires_at = now() - interval '1 second'
       WHERE id = (SELECT id FROM withdrawals LIMIT 1)`,
    );
    await accepted();
    await refused(2);

    const settings: OrganisationState = {
      ...{ org_id: ORGANISATION, version: 1, revenue_shares: [], opened_edges: [] },
      ...{ redirect_origins: [], quotas: { unsigned_withdrawals: 3 } },
    };
    await stage.publish('organisation', 'organisation.configured', ORGANISATION, settings);
    await accepted();
    await refused(3);

    await database.query("UPDATE withdrawals SET status = 'EXPIRED'");
    const statuses = (await Promise.all(Array.from({ length: 30 }, () => ask()))).map(
      ({ status }) => status,
    );
    const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
    expect([count(200), count(429)]).toEqual([3, 27]);
  });
});
