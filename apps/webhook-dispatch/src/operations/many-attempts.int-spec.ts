import type {
  ErrorBody,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookResendFailed,
} from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { ATTEMPTS } from '../persistence/delivery-log.repository.js';
import { useDispatcher } from '../testing/webhook-dispatch.fixture.js';

const MANY = 5_000;
const ANSWER_BYTES = 8_192;

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
}

const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];

describe('the attempts of a delivery', () => {
  const { call, receiver, register, query, deliveriesOf, databaseUrl } = useDispatcher();

  const show = (orgId: string, id: string) =>
    call<WebhookDeliveryDetails>('GET', { path: `/deliveries/${id}`, orgId });
  const resend = (orgId: string, id: string) =>
    call<WebhookDelivery & ErrorBody>('POST', { path: `/deliveries/${id}/resend`, orgId });
  const resendFailed = (orgId: string) =>
    call<WebhookResendFailed>('POST', {
      path: '/deliveries/resend-failed',
      orgId,
      body: { since: new Date(Date.now() - 3_600_000).toISOString() },
    });

  const hasEnded = async (webhookId: string, attempts: number): Promise<void> => {
    await eventually(async () => {
      expect(await deliveriesOf(webhookId)).toMatchObject([{ status: 'DELIVERED', attempts }]);
    });
  };
  /** Delivers a test event at the first attempt. */
  const delivered = async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const { id: webhookId, label } = await register(orgId, target.url);
    const { body } = await call<{ id: string }>('POST', { path: '/test', orgId, body: { label } });
    await hasEnded(webhookId, 1);
    return { orgId, target, webhookId, label, id: body.id };
  };
  /** Records earlier attempts, which began some minutes apart and so in several weeks, with the largest answers. */
  const haveAttempts = async (id: string, count: number): Promise<void> => {
    await query(
      `INSERT INTO webhook_attempts
         (delivery_id, number, started_at, url, duration_ms, outcome, status_code, answer)
       SELECT $1, n, now() - ($2 - n) * interval '10 minutes', 'https://example.com/', 5, 'refused',
         500, convert_to(repeat('x', $3), 'UTF8')
       FROM generate_series(2, $2::integer) AS n`,
      [id, count, ANSWER_BYTES],
    );
    await query('UPDATE webhook_delivery_log SET attempts = $2 WHERE id = $1', [id, count]);
  };

  it('are shown up to the newest hundred, with the answers of the newest twenty', async () => {
    const { orgId, id } = await delivered();
    await haveAttempts(id, 300);
    const { attempt_log: log, attempts } = (await show(orgId, id)).body;
    expect(attempts).toBe(300);
    expect(log.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, n) => 201 + n));
    expect(log.map(({ answer }) => answer?.status_code)).toEqual(Array(100).fill(500));
    expect(log.map(({ answer }) => answer?.body.length)).toEqual([
      ...Array<number>(80).fill(0),
      ...Array<number>(20).fill(ANSWER_BYTES),
    ]);
  });

  it('are read no further than they are shown', async () => {
    const { id } = await delivered();
    await haveAttempts(id, MANY);
    await query('ANALYZE webhook_attempts');
    const [row] = await query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${ATTEMPTS}`,
      [id],
    );
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    if (plan === undefined) throw new Error('no plan');
    const read = flat(plan)
      .filter((node) => node['Relation Name']?.startsWith('webhook_attempts'))
      .reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
    // One more of each partition, to merge them.
    expect(read).toBeGreaterThanOrEqual(100);
    expect(read).toBeLessThanOrEqual(110);
  });

  it('end at a hundred: no resend starts another schedule', async () => {
    const { orgId, id, webhookId, target } = await delivered();
    await query('UPDATE webhook_delivery_log SET attempts = 99 WHERE id = $1', [id]);
    expect((await resend(orgId, id)).status).toBe(200);
    await hasEnded(webhookId, 100);
    expect(await resend(orgId, id)).toEqual({
      status: 409,
      body: {
        errors: [
          {
            kind: 'other',
            message: `Delivery ${id} has had 100 attempts; from 100 on it is not sent again.`,
          },
        ],
      },
    });
    await query(
      `UPDATE webhook_delivery_log SET status = 'FAILED', finished_at = now() WHERE id = $1`,
      [id],
    );
    expect((await resendFailed(orgId)).body).toEqual({ resent: 0, more: false });
    expect(target.requests).toHaveLength(2);
    await query('UPDATE webhook_delivery_log SET attempts = 99 WHERE id = $1', [id]);
    expect((await resendFailed(orgId)).body).toEqual({ resent: 1, more: false });
    await hasEnded(webhookId, 100);
  });

  it('are not read by a resend', async () => {
    const { orgId, id, webhookId } = await delivered();
    const client = new pg.Client({ connectionString: databaseUrl() });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('LOCK TABLE webhook_dispatch.webhook_attempts IN ACCESS EXCLUSIVE MODE');
      expect(await resend(orgId, id)).toMatchObject({ status: 200, body: { id } });
      await client.query('COMMIT');
    } finally {
      await client.end();
    }
    await hasEnded(webhookId, 2);
  });
});
