import { describe, expect, it } from '@jest/globals';
import { aKey, publicKeysOf } from '../testing/gateway.fixture.js';
import { parseGatewayConfig } from './gateway.config.js';

describe('the configuration of the gateway', () => {
  it('closes idle connections within the grace of a leaving service', async () => {
    const key = await aKey('gateway-1');
    const { connections, SHUTDOWN_GRACE_MS } = parseGatewayConfig({
      PORT: '0',
      DATABASE_URL: 'postgres://gateway@127.0.0.1/bascule',
      INTERNAL_TOKEN_PRIVATE_KEY: JSON.stringify(key),
      FUNDING_TOKEN_PUBLIC_KEYS: JSON.stringify(publicKeysOf(key)),
      QUOTE_URL: 'http://quote',
      PAYMENT_URL: 'http://payment',
      WITHDRAWAL_URL: 'http://withdrawal',
      CATALOGUE_URL: 'http://catalogue',
      WEBHOOK_DISPATCH_URL: 'http://webhook-dispatch',
    });
    expect(connections.idleMs).toBeLessThan(SHUTDOWN_GRACE_MS);
  });
});
