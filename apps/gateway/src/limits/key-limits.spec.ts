import { describe, expect, it } from '@jest/globals';
import type { ApiKey } from '../callers/api-key.js';
import { limitsOfKey } from './key-limits.js';

const DEFAULTS = { requests: 10, clientRequests: 2, organisationRequests: 40 };
const key = (rest: Partial<ApiKey>, kind: 'secret' | 'publishable' = 'publishable'): ApiKey => ({
  caller: { orgId: 'org', keyId: 'key', kind, mode: 'live', permissions: [], methods: [] },
  label: 'web',
  expiresAt: null,
  rateLimit: null,
  clientRateLimit: null,
  organisationRateLimit: null,
  quotesPerSecond: null,
  allowedOrigins: null,
  ...rest,
});

describe('the limits of a key', () => {
  it('are those of the deployment unless an operator set others', () => {
    expect(limitsOfKey(key({}), DEFAULTS)).toEqual({ client: 2, key: 10, organisation: 40 });
    const own = { rateLimit: 7, clientRateLimit: 5, organisationRateLimit: 9 };
    expect(limitsOfKey(key(own), DEFAULTS)).toEqual({ client: 5, key: 7, organisation: 9 });
  });

  it('divide a publishable key among clients, and no secret key', () => {
    expect(limitsOfKey(key({ clientRateLimit: 5 }, 'secret'), DEFAULTS)).toEqual({
      key: 10,
      organisation: 40,
    });
  });
});
