import { ORGANISATION_ANSWER, PUBLIC_ANSWER } from '@bascule/service-host';
import type { ServiceError } from '@bascule/contracts';
import type { ServiceContext } from '@bascule/process';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hashOfKey, newApiKey, type ApiKey } from '../callers/api-key.js';
import type { ApiKeysRepository } from '../persistence/api-keys.repository.js';
import { ApiKeysService, KEY_CACHE_CAPACITY, KEY_TTL_MS } from './api-keys.service.js';

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
    caller: {
      orgId: 'org',
      keyId: 'key',
      kind: 'secret',
      mode: 'live',
      permissions: [],
      methods: [],
    },
    label: 'web',
    expiresAt: null,
    rateLimit: null,
    clientRateLimit: null,
    organisationRateLimit: null,
    quotesPerSecond: null,
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

  /** As admission does. */
  const authenticate = async (key = secret): Promise<ApiKey> =>
    (await service.authenticateKnown(`Bearer ${key}`)) ??
    (await service.authenticate(`Bearer ${key}`));
  const isKnown = async (key = secret): Promise<boolean> =>
    (await service.authenticateKnown(`Bearer ${key}`)) !== undefined;

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

  it('knows a key from its first use on, also while the database is away, until its revocation', async () => {
    expect(await isKnown()).toBe(false);
    expect(lookups).toEqual([]);
    await authenticate();
    expect(await isKnown()).toBe(true);
    now += KEY_TTL_MS + 2;
    const lookup = jest.spyOn(usable, 'get');
    lookup.mockImplementationOnce(() => {
      throw new Error('connection refused');
    });
    await expect(isKnown()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await isKnown()).toBe(true);
    usable.clear();
    now += KEY_TTL_MS + 2;
    expect(await isKnown()).toBe(false);
    await expect(authenticate()).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('keeps known keys in its cache beside more unknown ones than it holds', async () => {
    await authenticate();
    for (let each = 0; each < KEY_CACHE_CAPACITY + 100; each += 1) {
      const guess = `sk_${String(each).padStart(43, '0')}`;
      await expect(authenticate(guess)).rejects.toMatchObject({ code: 'unauthenticated' });
    }
    const before = lookups.length;
    expect(await isKnown()).toBe(true);
    expect(lookups).toHaveLength(before);
  });

  it('asks for few unknown keys at once and refuses those that would wait too long', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let running = 0;
    let most = 0;
    const repository = {
      findUsable: async () => {
        running += 1;
        most = Math.max(most, running);
        await released;
        running -= 1;
        return null;
      },
    } as unknown as ApiKeysRepository;
    const error = jest.fn();
    const flooded = new ApiKeysService(repository, {
      logger: { error },
    } as unknown as ServiceContext);
    const answers = Array.from({ length: 1_000 }, () =>
      flooded
        .authenticate(`Bearer ${newApiKey('secret')}`)
        .catch((refusal: ServiceError) => refusal.code),
    );
    const refused = await Promise.race(answers);
    release();
    const codes = await Promise.all(answers);
    expect(refused).toBe('unavailable');
    expect(most).toBe(2);
    expect(codes.filter((code) => code === 'unauthenticated')).toHaveLength(502);
    expect(error).not.toHaveBeenCalled();
  });
});
