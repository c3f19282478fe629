import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ApiKey } from '../callers/api-key.js';
import { limitsOfKey } from './key-limits.js';

const DEFAULTS = { requests: 30_000, clientRequests: 3_000, organisationRequests: 120_000 };
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

/** Limits of a client with one key, and with all keys of its organisation. */
const client = (address: number, block = address, organisation = block) => ({
  ...{ address, block, organisation },
});

describe('the limits of a key', () => {
  it('are those of the deployment unless an operator set others', () => {
    expect(limitsOfKey(key({}), DEFAULTS)).toEqual({
      client: client(3_000, 3_000, 12_000),
      ...{ key: 30_000, publishable: 108_000, organisation: 120_000 },
    });
    const own = { rateLimit: 700, clientRateLimit: 50, organisationRateLimit: 900 };
    expect(limitsOfKey(key(own), DEFAULTS)).toEqual({
      client: client(50, 70, 90),
      ...{ key: 700, publishable: 810, organisation: 900 },
    });
  });

  it('divide a publishable key among clients, and no secret key', () => {
    expect(limitsOfKey(key({ clientRateLimit: 5 }, 'secret'), DEFAULTS)).toEqual({
      ...{ key: 30_000, organisation: 120_000 },
    });
  });

  it.each<[string, Partial<ApiKey>, object]>([
    ['its key', { rateLimit: 2_000 }, client(200, 200, 12_000)],
    ['its organisation', { organisationRateLimit: 3_000 }, client(300)],
  ])('leave a client a tenth of a small limit of %s', (_owner, own, expected) => {
    expect(limitsOfKey(key(own), DEFAULTS).client).toEqual(expected);
  });

  it.each<[string, Partial<ApiKey>, object]>([
    ['its key', {}, client(13_500)],
    ['its organisation', { organisationRateLimit: 3_000 }, client(1_350)],
  ])(
    'cap what an operator gives a client at half for publishable keys of %s',
    (_, own, expected) => {
      expect(limitsOfKey(key({ clientRateLimit: 99_999, ...own }), DEFAULTS).client).toEqual(
        expected,
      );
    },
  );

  it('leave room for a second client and for secret keys, whatever is set', () => {
    const limit = fc.integer({ min: 3, max: 1_000_000 });
    const own = fc.record({
      rateLimit: fc.option(limit),
      clientRateLimit: fc.option(limit),
      organisationRateLimit: fc.option(limit),
    });
    fc.assert(
      fc.property(own, limit, (limits, clientRequests) => {
        const found = limitsOfKey(key(limits), { ...DEFAULTS, clientRequests });
        const ofOne = found.client ?? client(Infinity);
        expect(Math.max(ofOne.address, ofOne.block)).toBeLessThan(found.key);
        expect(ofOne.organisation).toBeLessThan(found.publishable ?? 0);
        expect(found.publishable).toBeLessThan(found.organisation);
      }),
    );
  });
});
