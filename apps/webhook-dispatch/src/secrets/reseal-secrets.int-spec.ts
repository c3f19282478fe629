import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { useDispatcher } from '../testing/webhook-dispatch.fixture.js';
import { resealSecrets } from './reseal-secrets.service.js';
import { SecretCipher } from './secret-cipher.js';
import { secretContext } from './secret-context.js';

describe('replacing the key that encrypts secrets', () => {
  const { running, register, receiver, query, secretKeys } = useDispatcher();

  it('re-encrypts all of them, so that the old key can be removed', async () => {
    const old = JSON.parse(secretKeys) as { kid: string; k: string }[];
    // A kid with the same prefix is a different key.
    const next = { kid: 'a.b', k: randomBytes(32).toString('base64url') };
    const { id, signing_secret } = await register(uuidv7(), (await receiver()).url, {
      auth_header: { name: 'x-key', value: 'open sesame' },
    });
    await register(uuidv7(), (await receiver()).url);
    const sealed = async () => {
      const [secret] = await query<{ sealed: string }>(
        'SELECT sealed FROM webhook_signing_secrets WHERE webhook_id = $1',
        [id],
      );
      const [header] = await query<{ sealed: string }>(
        'SELECT auth_header_value AS sealed FROM webhooks WHERE id = $1',
        [id],
      );
      return { secret: secret?.sealed ?? '', header: header?.sealed ?? '' };
    };
    const dataSource = running().app.get(DataSource);
    expect(await resealSecrets(dataSource, new SecretCipher([next, ...old]))).toBe(3);
    const onlyNew = new SecretCipher([next]);
    const { secret, header } = await sealed();
    expect(onlyNew.open(secret, secretContext(id, 'signing_secret'))).toBe(signing_secret);
    expect(onlyNew.open(header, secretContext(id, 'auth_header'))).toBe('open sesame');
    expect(await resealSecrets(dataSource, new SecretCipher([next, ...old]))).toBe(0);
    expect(await resealSecrets(dataSource, new SecretCipher([...old, next]))).toBe(3);
  });
});
