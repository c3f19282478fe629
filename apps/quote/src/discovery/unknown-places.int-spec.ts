import { startService } from '@bascule/service-host';
import { ConfigurationError } from '@bascule/process';
import { createServiceDatabase, internalTokens, type ServiceDatabase } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { quoteService } from '../index.js';
import { parseQuoteConfig } from '../config/quote.config.js';

// Nothing listens there.
const NO_NODE = 'http://127.0.0.1:9';
const NO_DATABASE = '/nowhere/places.mmdb';

let database: ServiceDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createServiceDatabase('quote');
  env = {
    ...internalTokens().env,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.database.url,
    CHAINS: 'alphanet',
    RPC_URLS_ALPHANET: NO_NODE,
    STATE_TOKEN_KEYS: JSON.stringify([
      { kid: 'test', k: Buffer.alloc(32, 7).toString('base64url') },
    ]),
    FEE_RECEIVER: '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
    PROVIDERS: '[]',
    BRIDGES: '[]',
  };
  await quoteService.migrate?.(parseQuoteConfig(env));
});
afterAll(() => database.drop());

describe('a start without a geolocation database', () => {
  it('is refused on live networks', async () => {
    const real = { ...env, CHAINS: 'alphanet,base', RPC_URLS_BASE: NO_NODE };
    await expect(startService(quoteService, { ...real, GEOIP_DB: NO_DATABASE })).rejects.toThrow(
      ConfigurationError,
    );
    const declined = await startService(quoteService, { ...real, GEOIP_DB: 'none' });
    await declined.shutdown({ graceMs: 0 });
  });

  it('is allowed on test networks', async () => {
    const started = await startService(quoteService, { ...env, GEOIP_DB: NO_DATABASE });
    expect((await fetch(`${started.operationsUrl}/metrics`)).status).toBe(200);
    await started.shutdown({ graceMs: 0 });
  });
});
