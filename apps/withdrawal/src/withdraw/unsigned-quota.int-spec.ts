import type { ErrorBody, OrganisationState, WithdrawResponse } from '@bascule/contracts';
import { VISITOR_HEADER } from '@bascule/identity';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { ORGANISATION, startStage, USDC } from '../testing/withdrawal-stage.fixture.js';
import type { Answer, Stage } from '../testing/withdrawal-stage.fixture.js';

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
    // A request that waited too long for a connection is 503.
    expect([count(200), count(429) + count(503)]).toEqual([3, 27]);
    expect(count(429)).toBeGreaterThan(0);
  });

  describe('with publishable keys', () => {
    let answered: Answer<WithdrawResponse & ErrorBody>[];
    /** Requests of a visitor; the secret key's without one. */
    const request = async (payment: TestPayment, times: number, visitor?: string) => {
      const body = {
        payment_id: payment.id,
        token_amounts: [{ token: USDC, amount: '40' }],
        recipient_address: owner,
      };
      const headers: Record<string, string> =
        visitor === undefined ? {} : { [VISITOR_HEADER]: visitor };
      const kind = visitor === undefined ? 'secret' : 'publishable';
      const ask = async (): Promise<Answer<WithdrawResponse & ErrorBody>> => {
        const options = { caller: { kind } } as const;
        const path = '/payments/withdraw';
        const answer = await stage.call<WithdrawResponse & ErrorBody>(
          ...([path, body, ORGANISATION, headers, options] as const),
        );
        // It waited too long for a connection, behind the others.
        return answer.status === 503 ? ask() : answer;
      };
      answered = await Promise.all(Array.from({ length: times }, ask));
      return answered.filter(({ status }) => status === 200).length;
    };
    const expectRefused = (who: string) => {
      const refusal = answered.find(({ status }) => status === 429);
      const message = `${who} unsigned withdrawals. Try again when one of them is signed or expires.`;
      expect(refusal?.body).toEqual({ errors: [{ kind: 'other', message }] });
      expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(1);
    };
    const aFundedPayment = async () => {
      const payment = aPayment(owner);
      await stage.publish('payment', 'payment.updated', payment.id, payment.state);
      await stage.fund(USDC, payment.wallet, 40_000_000n);
      await eventually(async () => {
        const rows = 'SELECT id FROM payments WHERE id = $1';
        expect(await stage.database.rows(rows, [payment.id])).toHaveLength(1);
      });
      return payment;
    };
    /** Ends all withdrawals, and restarts without the quota that an operator set. */
    const begin = async (quota: string) => {
      const database = stage.service().app.get(DataSource);
      await database.query("UPDATE withdrawals SET status = 'EXPIRED'");
      await database.query('UPDATE organisations SET max_unsigned_withdrawals = NULL');
      await stage.restart({ MAX_UNSIGNED_WITHDRAWALS: quota });
    };

    it('lets one visitor fill its share only: others and the secret key go on', async () => {
      await begin('20');
      const payment = await aFundedPayment();
      expect(await request(payment, 8, 'one')).toBe(5);
      expectRefused("This client has used up its 5 of the organisation's 20");
      expect(await request(payment, 1, 'another')).toBe(1);
      expect(await request(payment, 1)).toBe(1);
    });

    it('reserves a tenth for secret keys, however many visitors there are', async () => {
      await begin('10');
      const payment = await aFundedPayment();
      expect(await request(payment, 5, 'one')).toBe(5);
      expect(await request(payment, 5, 'another')).toBe(3);
      expectRefused("This client has used up its 3 of the organisation's 10");
      expect(await request(payment, 5, 'third')).toBe(1);
      expectRefused("Publishable keys have used up their 9 of the organisation's 10");
      expect(await request(payment, 2)).toBe(1);
      expectRefused('The organisation has used up its quota of 10');
    });

    it('leaves the owner of a payment its 10, however many strangers request the same', async () => {
      await begin('1000');
      const payment = await aFundedPayment();
      for (const stranger of ['one', 'another', 'third', 'fourth']) {
        expect(await request(payment, 12, stranger)).toBe(10);
        expectRefused('This client has used up, for this payment, its 10');
      }
      expect(await request(await aFundedPayment(), 1, 'one')).toBe(1);
      expect(await request(payment, 12, 'owner')).toBe(10);
      expect(await request(payment, 1)).toBe(1);
    });

    it('leaves owners 3 each once a few strangers have used half of the quota', async () => {
      await begin('40');
      const payment = await aFundedPayment();
      const strangers = ['one', 'another', 'third', 'fourth', 'fifth'];
      const open: number[] = [];
      for (const stranger of strangers) open.push(await request(payment, 6, stranger));
      expect(open).toEqual([5, 5, 5, 3, 3]);
      expectRefused("This client has used up its 3 of the organisation's 40");
      expect(await request(payment, 6, 'owner')).toBe(3);
    });
  });
});
