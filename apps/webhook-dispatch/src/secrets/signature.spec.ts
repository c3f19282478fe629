import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { newSigningSecret } from './signing-secret.js';
import { signatureHeaders, signingKey } from './signature.js';

const id = '0192e4a0-7b5c-7c3e-9f00-000000000001';
const body = Buffer.from('{"id":"ü"}');
const now = new Date('2026-11-21T12:00:00.900Z');

describe('the signature of a delivery', () => {
  it('is the hex HMAC-SHA256 of the raw body, keyed with the secret as UTF-8', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const expected = createHmac('sha256', secret).update(body).digest('hex');
    expect(signatureHeaders({ id, body }, [signingKey(secret)], now)['x-service-signature']).toBe(
      `v1=0x${expected}`,
    );
  });

  it('has an entry per active secret', () => {
    const headers = signatureHeaders(
      { id, body },
      ['first-secret', 'second-secret'].map(signingKey),
      now,
    );
    const entries = headers['x-service-signature']?.split(',') ?? [];
    expect(entries).toHaveLength(2);
    for (const entry of entries) expect(entry).toMatch(/^v1=0x[0-9a-f]{64}$/);
    expect(new Set(entries).size).toBe(2);
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  });

  it('passes the published test vector of Standard Webhooks', () => {
    const headers = signatureHeaders(
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: Buffer.from('{"test": 2432232314}') },
      [signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
      new Date(1_614_265_330_000),
    );
    expect(headers).toMatchObject({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is accepted by the public library of Standard Webhooks, with either of two secrets, and by no other', () => {
    const [first, second, foreign] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
    const headers = signatureHeaders({ id, body }, [first, second].map(signingKey), new Date());
    for (const secret of [first, second]) {
      expect(new StandardWebhook(secret).verify(body, headers)).toEqual({ id: 'ü' });
    }
    expect(() => new StandardWebhook(foreign).verify(body, headers)).toThrow();
    expect(() => new StandardWebhook(first).verify('{"id":"u"}', headers)).toThrow();
  });

  it.each(['a-secret-of-my-own', 'whsec_this-is-no-base64'])(
    'is accepted by it with a custom secret: %s',
    (secret) => {
      const headers = signatureHeaders({ id, body }, [signingKey(secret)], new Date());
      const receiver = new StandardWebhook(secret, { format: 'raw' });
      expect(receiver.verify(body, headers)).toEqual({ id: 'ü' });
    },
  );
});
