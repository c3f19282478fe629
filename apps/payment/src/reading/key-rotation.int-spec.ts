import { createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { Payment } from '@bascule/contracts';
import { SealedTokens } from '@bascule/sealed-tokens';
import { eventually, keysInUse, RunningLoad, SecretDirectory } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, exportJWK, jwtVerify } from 'jose';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';

const aSealingKey = (kid: string) => ({ kid, k: randomBytes(32).toString('base64url') });
const [oldKey, newKey] = [aSealingKey('old'), aSealingKey('new')];
const aLinkKey = (kid: string) => ({
  ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
  kid,
});
const [oldLinks, newLinks] = [aLinkKey('links-old'), aLinkKey('links-new')];

const mounted = new SecretDirectory({
  STATE_TOKEN_KEYS: JSON.stringify([oldKey]),
  FUNDING_TOKEN_PRIVATE_KEY: JSON.stringify(oldLinks),
});

/** Verifies links as the gateway does that has both public keys. */
const bothKeys = createLocalJWKSet({
  keys: await Promise.all(
    [oldLinks, newLinks].map(async ({ kid, ...key }) => ({
      ...(await exportJWK(createPublicKey({ key, format: 'jwk' }))),
      kid,
    })),
  ),
});
async function keyOfLink(url: string): Promise<string> {
  const token = new URL(url).searchParams.get('token') ?? '';
  const { protectedHeader } = await jwtVerify(token, bothKeys, { audience: 'funding' });
  return String(protectedHeader.kid);
}

describe('keys that rotate while payments are confirmed', () => {
  let client: PaymentServiceClient;
  beforeAll(async () => {
    client = await PaymentServiceClient.start(mounted.env);
    client.sealed = new SealedTokens([oldKey]);
  });
  afterAll(async () => {
    await client.stop();
    mounted.remove();
  });

  const untilInUse = (variable: string, ...kids: string[]) =>
    eventually(async () => {
      expect(await keysInUse(client.service.operationsUrl, variable)).toEqual(kids);
    });
  const confirm = async () => {
    const [body, headers] = [await client.aConfirmation(), { 'idempotency-key': randomUUID() }];
    const options = { method: 'POST', body, headers };
    const first = await client.request<Payment>('/payments/confirm', options);
    const again = await client.request('/payments/confirm', options);
    return { first, again };
  };

  it('open every state token and stored answer, and sign links that the gateway accepts', async () => {
    const signedBy: string[] = [];
    const load = new RunningLoad(3, async () => {
      const { first, again } = await confirm();
      if (first.status !== 200 || again.headers.get('idempotency-replayed') !== 'true') {
        throw new Error(`${first.status} ${again.status}`);
      }
      const { next_instruction: instruction } = first.body;
      signedBy.push(
        await keyOfLink(instruction?.type === 'ONRAMP' ? instruction.funding_page_url : ''),
      );
    });
    try {
      await load.progress();
      const early = await client.aConfirmation();

      mounted.replace({ STATE_TOKEN_KEYS: JSON.stringify([oldKey, newKey]) });
      await untilInUse('STATE_TOKEN_KEYS', 'old', 'new');
      // The quote service seals with the new key from now on.
      client.sealed = new SealedTokens([newKey]);
      await load.progress();
      mounted.replace({
        STATE_TOKEN_KEYS: JSON.stringify([newKey, oldKey]),
        FUNDING_TOKEN_PRIVATE_KEY: JSON.stringify(newLinks),
      });
      await untilInUse('STATE_TOKEN_KEYS', 'new', 'old');
      await untilInUse('FUNDING_TOKEN_PRIVATE_KEY', 'links-new');
      await load.progress();
      expect((await client.confirm(early)).status).toBe(200);
    } finally {
      await load.stop();
    }
    expect(load.failures).toEqual([]);
    expect([signedBy[0], signedBy.at(-1)]).toEqual(['links-old', 'links-new']);

    // The old key is removed after the last token that it sealed has expired.
    mounted.replace({ STATE_TOKEN_KEYS: JSON.stringify([newKey]) });
    await untilInUse('STATE_TOKEN_KEYS', 'new');
    client.sealed = new SealedTokens([oldKey]);
    expect((await client.confirm(await client.aConfirmation())).status).toBe(400);
  });
});
