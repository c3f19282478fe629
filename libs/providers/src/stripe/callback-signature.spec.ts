import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { verifyTimestampedSignature } from '../wire/timestamped-signature.js';

describe('a signature of Stripe', () => {
  it('is the one that Stripe’s own library computes', () => {
    const isValid = verifyTimestampedSignature(createSecretKey(Buffer.from('whsec_vector')), {
      header:
        't=1700000000,v1=d72e43de4444aca8db1b7f658f08ed1e1e937fb96494e36813c1c2722375796d,v0=ab',
      scheme: 'v1',
      rawBody: Buffer.from('{"id":"evt_1","type":"crypto.onramp_session.updated"}'),
      now: new Date(1_700_000_000_000),
      toleranceSeconds: 300,
    });
    expect(isValid).toBe(true);
  });
});
