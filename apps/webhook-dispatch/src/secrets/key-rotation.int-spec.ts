import { createHmac, randomBytes } from 'node:crypto';
import { eventually, keysInUse, RunningLoad, SecretDirectory } from '@bascule/testing';
import type { CapturedRequest } from '@bascule/testing';
import type { WebhookCreated } from '@bascule/contracts';
import { afterAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { BOTH, paymentEvent, useDispatcher } from '../testing/webhook-dispatch.fixture.js';

const aKey = (kid: string) => ({ kid, k: randomBytes(32).toString('base64url') });
const [oldKey, newKey] = [aKey('a'), aKey('b')];
const mounted = new SecretDirectory({ WEBHOOK_SECRET_KEYS: JSON.stringify([oldKey]) });

const entriesOf = ({ headers }: CapturedRequest): string[] =>
  String(headers['x-service-signature']).split(',');
const entryOf = (secret: string, { body }: CapturedRequest): string =>
  `v1=0x${createHmac('sha256', secret).update(body).digest('hex')}`;

describe('the key that encrypts secrets', () => {
  const { running, call, receiver, register, publish, query } = useDispatcher(mounted.env);
  afterAll(() => {
    mounted.remove();
  });

  const untilInUse = (...keys: { kid: string }[]) =>
    eventually(async () => {
      const kids = await keysInUse(running().operationsUrl, 'WEBHOOK_SECRET_KEYS');
      expect(kids).toEqual(keys.map(({ kid }) => kid));
    });
  const rotateTo = async (...keys: { kid: string }[]) => {
    mounted.replace({ WEBHOOK_SECRET_KEYS: JSON.stringify(keys) });
    await untilInUse(...keys);
  };
  const remaining = async (): Promise<number> => {
    const page = await (await fetch(`${running().operationsUrl}/metrics`)).text();
    return Number(/^webhook_secrets_of_other_keys (\d+)$/m.exec(page)?.[1]);
  };
  const kidsStored = async () =>
    (
      await query<{ kid: string }>(
        `SELECT DISTINCT split_part(sealed, '.', 1) AS kid FROM (
           SELECT sealed FROM webhook_signing_secrets
           UNION ALL SELECT auth_header_value FROM webhooks WHERE auth_header_value IS NOT NULL) s`,
      )
    ).map(({ kid }) => kid);

  it('rotates under load: every delivery is signed, and no stored secret keeps the old key', async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const secrets = [(await register(orgId, target.url, authenticated)).signing_secret];
    const ownLoads = [
      // Registers a webhook twice, the second time by its stored answer.
      new RunningLoad(1, async () => {
        const body = { url: target.url, label: uuidv7(), event_types: BOTH };
        const headers = { 'idempotency-key': uuidv7() };
        const options = { orgId: uuidv7(), body, headers };
        const first = await call<WebhookCreated>('POST', options);
        const again = await call<WebhookCreated>('POST', options);
        expect([first.status, again.status, again.replayed]).toEqual([200, 200, 'true']);
        expect(again.body.signing_secret).toBe(first.body.signing_secret);
      }),
      // Has a delivery made and checks it.
      new RunningLoad(2, async () => {
        const id = uuidv7();
        const known = [...secrets];
        await publish(paymentEvent(orgId, { status: 'COMPLETE', id }));
        const delivered = await eventually(() => {
          const found = target.requests.find(({ body }) => body.includes(id));
          if (found === undefined) throw new Error('not delivered');
          return found;
        });
        const entries = entriesOf(delivered);
        for (const secret of known) expect(entries).toContain(entryOf(secret, delivered));
        expect(delivered.headers['x-key']).toBe('open sesame');
      }),
    ];
    const progress = () => Promise.all(ownLoads.map((load) => load.progress()));
    try {
      await progress();
      expect(await kidsStored()).toEqual(['a']);
      await rotateTo(oldKey, newKey);
      await progress();
      await rotateTo(newKey, oldKey);
      // The organisation adds a secret of its own meanwhile; both sign.
      const [{ label } = { label: '' }] = await query<{ label: string }>(
        'SELECT label FROM webhooks WHERE org_id = $1',
        [orgId],
      );
      const rotated = await call<WebhookCreated>('POST', {
        path: '/rotate-secret',
        orgId,
        body: { label },
      });
      secrets.push(rotated.body.signing_secret);
      await progress();
      await eventually(
        async () => {
          expect([await kidsStored(), await remaining()]).toEqual([['b'], 0]);
        },
        { timeoutMs: 60_000 },
      );
      await progress();
      mounted.replace({ WEBHOOK_SECRET_KEYS: '[]' });
      await eventually(async () => {
        const page = await (await fetch(`${running().operationsUrl}/metrics`)).text();
        expect(page).toContain('secret_file_invalid{variable="WEBHOOK_SECRET_KEYS"} 1');
      });
      await progress();
      await untilInUse(newKey, oldKey);
    } finally {
      await Promise.all(ownLoads.map((load) => load.stop()));
    }
    expect(ownLoads.flatMap(({ failures }) => failures)).toEqual([]);
    await rotateTo(newKey);
    const last = uuidv7();
    await publish(paymentEvent(orgId, { status: 'COMPLETE', id: last }));
    await eventually(() => {
      expect(target.requests.filter(({ body }) => body.includes(last))).toHaveLength(1);
    });
  });
});

const authenticated = { auth_header: { name: 'x-key', value: 'open sesame' } };
