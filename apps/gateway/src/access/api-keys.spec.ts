import { ORGANISATION_ANSWER, PUBLIC_ANSWER } from '@bascule/service-host';
import type { ServiceContext } from '@bascule/process';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hashOfKey, newApiKey, type ApiKey } from '../callers/api-key.js';
import type { ApiKeysRepository } from '../persistence/api-keys.repository.js';
import { ApiKeysService, KEY_TTL_MS } from './api-keys.service.js';

const REVOKED_WITHIN_MS = 5_000;
/** Allowance for the operator's commit and for requests in flight. */
const SPARE_MS = 1_000;

describe('a revoked key', () => {
  it.each([PUBLIC_ANSWER, ORGANISATION_ANSWER])(
    'stays in no cache beyond five seconds with "%s"',
    (cacheControl) => {
      const [, seconds = 'NaN'] = /max-age=(\d+)$/.exec(cacheControl) ?? [];
      expect(KEY_TTL_MS + Number(seconds) * 1_000).toBeLessThanOrEqual(
        REVOKED_WITHIN_MS - SPARE_MS,
      );
    },
  );
});

describe('ApiKeysService', () => {
  const secret = newApiKey('secret');
  const found: ApiKey = {
    caller: { orgId: 'org', keyId: 'key', kind: 'secret', permissions: [], methods: [] },
    rateLimit: null,
    allowedOrigins: null,
  };
  let now: number;
  let usable: Map<string, ApiKey>;
  let lookups: string[];
  let queryMs: number;
  let service: ApiKeysService;

  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    usable = new Map([[hashOfKey(secret), found]]);
    lookups = [];
    queryMs = 0;
    const repository = {
      findUsable: async (hash: string) => {
        lookups.push(hash);
        const key = usable.get(hash) ?? null;
        now += queryMs;
        return key;
      },
    } as unknown as ApiKeysRepository;
    service = new ApiKeysService(repository, {
      logger: { error: jest.fn() },
    } as unknown as ServiceContext);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const authenticate = (key = secret): Promise<ApiKey> => service.authenticate(`Bearer ${key}`);

  it('looks a key up once for concurrent and following requests', async () => {
    expect(await Promise.all([authenticate(), authenticate()])).toEqual([found, found]);
    now += KEY_TTL_MS - 1;
    expect(await authenticate()).toBe(found);
    expect(lookups).toHaveLength(1);
  });

  it('looks an unknown key up once', async () => {
    const unknown = newApiKey('secret');
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(authenticate(unknown)).rejects.toMatchObject({ code: 'unauthenticated' });
    }
    expect(lookups).toEqual([hashOfKey(unknown)]);
  });

  it('refuses a revoked key once its cached entry has expired', async () => {
    await authenticate();
    usable.clear();
    now += KEY_TTL_MS + 2;
    await expect(authenticate()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('includes the query time in the age of a result', async () => {
    queryMs = KEY_TTL_MS - 100;
    await authenticate();
    now += 102;
    await authenticate();
    expect(lookups).toHaveLength(2);
  });

  it('is unavailable without the database and does not cache the failure', async () => {
    jest.spyOn(usable, 'get').mockImplementationOnce(() => {
      throw new Error('connection refused');
    });
    await expect(authenticate()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await authenticate()).toBe(found);
  });
});
