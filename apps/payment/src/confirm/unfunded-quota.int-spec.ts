import { TOPICS, type ErrorBody, type OrganisationState } from '@bascule/contracts';
import { createEnvelope, TRANSPORT, type Transport } from '@bascule/messaging';
import { VISITOR_HEADER } from '@bascule/identity';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { aPlan, aQuote, aQuoteState, ORG_ID } from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import type { Answer } from '../testing/payment-service.fixture.js';
import { insertUnfunded } from '../testing/unfunded-payments.fixture.js';

const OTHER_ORG = '0190b2c3-0000-7000-8000-0000000000ff';

describe('the quota of payments that wait for funds', () => {
  let client: PaymentServiceClient;
  beforeAll(async () => {
    client = await PaymentServiceClient.start({ MAX_UNFUNDED_PAYMENTS: '2' });
  });
  afterAll(() => client.stop());

  async function setQuota(version: number, unfunded_payments?: number): Promise<void> {
    const data: OrganisationState = {
      ...{ org_id: ORG_ID, version, revenue_shares: [], opened_edges: [], redirect_origins: [] },
      quotas: unfunded_payments === undefined ? {} : { unfunded_payments },
    };
    const topic = TOPICS.organisation;
    const envelope = createEnvelope(
      { topic, type: 'organisation.configured', key: ORG_ID, data },
      { source: 'gateway', environment: 'development' },
    );
    const value = Buffer.from(JSON.stringify(envelope));
    await client.service.app
      .get<Transport>(TRANSPORT)
      .publish([{ topic: topic.name, key: ORG_ID, headers: {}, value }]);
  }
  const confirm = async () =>
    client.request<ErrorBody>('/payments/confirm', {
      method: 'POST',
      body: await client.aConfirmation(),
    });
  const confirmed = () => eventually(async () => expect((await confirm()).status).toBe(200));
  const refused = (quota: number) =>
    eventually(async () => {
      const { status, body, headers } = await confirm();
      expect({ status, body }).toEqual({
        status: 429,
        body: {
          errors: [
            { kind: 'other', message: expect.stringContaining(`${quota} unfunded payments`) },
          ],
        },
      });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(1);
    });

  it('refuses the payment beyond it and stores nothing, until one is funded or an operator raises it', async () => {
    await confirmed();
    await confirmed();
    await refused(2);
    expect(await client.admin.query('SELECT id FROM payments')).toHaveLength(2);

    await client.admin.query(
      'UPDATE payments SET funded = true WHERE id = (SELECT id FROM payments LIMIT 1)',
    );
    await confirmed();
    await refused(2);

    await setQuota(1, 3);
    await confirmed();
    await refused(3);
    await setQuota(2);
    await refused(2);
  });

  it('is never exceeded, by 100 confirmations at one time at two replicas', async () => {
    await setQuota(3, 7);
    await refused(7);
    await client.admin.query('UPDATE payments SET funded = true');
    const replica = await client.startAnother();
    const bodies = await Promise.all(Array.from({ length: 100 }, () => client.aConfirmation()));
    const answers = await Promise.all(
      bodies.map((body, index) =>
        client.request('/payments/confirm', {
          method: 'POST',
          body,
          ...(index % 2 === 1 && { at: replica.url }),
        }),
      ),
    ).finally(() => replica.shutdown({ graceMs: 0 }));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(200), count(429)]).toEqual([7, 93]);
  });

  it('answers 409 to a repeated confirm all the same', async () => {
    await setQuota(4, 100);
    const body = await client.aConfirmation();
    const send = () => client.request('/payments/confirm', { method: 'POST', body });
    await eventually(async () => expect((await send()).status).toBe(200));
    await setQuota(6, 1);
    await refused(1);
    expect((await send()).status).toBe(409);
  });

  it('gives the stored answer to a repeated confirm with an Idempotency-Key', async () => {
    await setQuota(7, 100);
    const body = await client.aConfirmation();
    const headers = { 'idempotency-key': 'one-payment' };
    const send = () => client.request('/payments/confirm', { method: 'POST', body, headers });
    const first = await eventually(async () => {
      const answer = await send();
      expect(answer.status).toBe(200);
      return answer;
    });
    await setQuota(8, 1);
    await refused(1);
    const repeated = await send();
    expect(repeated.status).toBe(200);
    expect(repeated.body).toEqual(first.body);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
  });

  describe('with publishable keys', () => {
    /** Answers of a visitor to so many confirms at one time. */
    const visit = async (visitor: string, times: number, at = [client.service.url]) => {
      const bodies = await Promise.all(Array.from({ length: times }, () => client.aConfirmation()));
      return Promise.all(
        bodies.map((body, index) =>
          client.request<ErrorBody>('/payments/confirm', {
            ...{ method: 'POST', body, caller: { kind: 'publishable' as const } },
            at: at[index % at.length] ?? client.service.url,
            headers: { [VISITOR_HEADER]: visitor },
          }),
        ),
      );
    };
    const accepted = (answers: readonly { status: number }[]) =>
      answers.filter(({ status }) => status === 200).length;
    const expectRefused = (answer: Answer<ErrorBody> | undefined, who: string) => {
      const message = `${who} unfunded payments. Try again when one of them is funded or expires.`;
      expect(answer?.body).toEqual({ errors: [{ kind: 'other', message }] });
      expect(Number(answer?.headers.get('retry-after'))).toBeGreaterThan(1);
    };
    /** Empties the organisation and gives it another quota. */
    const begin = async (version: number, quota: number) => {
      await client.admin.query('UPDATE payments SET funded = true');
      await setQuota(version, quota);
      await eventually(async () =>
        expect(
          await client.admin.query('SELECT max_unfunded_payments AS quota FROM organisations'),
        ).toEqual([{ quota }]),
      );
      // The usage is read once a second.
      await client.service.shutdown({ graceMs: 0 });
      await client.boot();
    };

    it('lets one visitor fill its share only: others and the secret key go on', async () => {
      await begin(9, 20);
      const answers = await visit('one', 30);
      expect(accepted(answers)).toBe(5);
      const refusal = answers.find(({ status }) => status === 429);
      expectRefused(refusal, "This client has used up its 5 of the organisation's 20");
      expect(accepted(await visit('another', 1))).toBe(1);
      expect((await confirm()).status).toBe(200);
    });

    it('never lets one visitor exceed its share, by 300 confirms at one time at two replicas', async () => {
      // The usages that the replicas cache stay as old as they may be.
      jest.spyOn(performance, 'now').mockReturnValue(performance.now());
      await begin(11, 20_000);
      const replica = await client.startAnother();
      const at = [client.service.url, replica.url];
      try {
        expect(accepted(await visit('flood', 2, at))).toBe(2);
        // Its share is 2,000.
        await insertUnfunded(client.admin, { orgId: ORG_ID, visitor: 'flood', count: 1_988 });
        expect(accepted(await visit('flood', 300, at))).toBe(10);
      } finally {
        await replica.shutdown({ graceMs: 0 });
        jest.restoreAllMocks();
      }
    });

    it('keeps one connection waiting for a visitor that confirms many at one time', async () => {
      await begin(12, 20_000);
      const { flood } = await client.admin.transaction(async (manager) => {
        await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `unfunded-payments:${ORG_ID}:flood`,
        ]);
        const waiting = visit('flood', 30);
        await eventually(async () =>
          expect(
            await manager.query(
              `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
            ),
          ).toHaveLength(1),
        );
        expect(accepted(await visit('another', 12))).toBe(12);
        return { flood: waiting };
      });
      await flood;
    });

    it('reserves a tenth for secret keys, however many visitors there are', async () => {
      await begin(13, 10);
      const answers = (await Promise.all(['a', 'b', 'c'].map((it) => visit(it, 5)))).flat();
      expect(accepted(answers)).toBe(9);
      const [refusal] = await visit('d', 1);
      expectRefused(refusal, "Publishable keys have used up their 9 of the organisation's 10");
      expect((await confirm()).status).toBe(200);
      await refused(10);
    });
  });

  it('counts each organisation apart', async () => {
    const state = aQuoteState({
      quotes: [{ quote: aQuote(), plan: aPlan() }],
      org_id: OTHER_ORG,
    });
    const theirs = await client.confirm(await client.aConfirmation({}, state), {
      orgId: OTHER_ORG,
    });
    expect(theirs.status).toBe(200);
  });
});
