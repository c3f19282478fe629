import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, startCapturingServer } from '@bascule/testing';
import { v7 as uuidv7 } from 'uuid';
import type { OnrampProvider } from '../port/onramp-provider.js';
import { placeOrder, press } from '../testing/customer.fixture.js';
import { MemoryTokenStore, type PlacedOrder } from '../testing/index.js';
import { sold, TransakStage, WALLET } from './testing.fixture.js';

const UNAVAILABLE = { name: 'ProviderError', code: 'unavailable', retryable: true };
const MINUTE_MS = 60_000;

describe('the access token of Transak', () => {
  let stage: TransakStage;
  let replicas: [OnrampProvider, OnrampProvider];
  let order: PlacedOrder;

  /** Each test has an account of its own, in use by two replicas. */
  beforeEach(async () => {
    stage = await TransakStage.start();
    replicas = [stage.provider(), stage.provider()];
    const [one, other] = replicas;
    order = await placeOrder(one, sold, { depositAddress: WALLET });
    await other.status(order);
  });
  afterEach(() => stage.stop());

  const issued = () => stage.lab.accessTokens.issued;
  const askAll = () => Promise.all([...replicas, ...replicas].map((each) => each.status(order)));
  const askInTurn = (call: number) => (call % 2 === 0 ? replicas[0] : replicas[1]).status(order);
  /** Plays another deployment with the same keys, whose new token ends ours. */
  const revoke = () => {
    stage.store.endPause('transak');
    stage.lab.accessTokens.issue();
  };
  const callback = async (from: () => Promise<void>) => {
    const { length } = stage.callbacksOf(order.paymentId);
    await from();
    await eventually(() =>
      expect(stage.callbacksOf(order.paymentId).length).toBeGreaterThan(length),
    );
    return stage.lastCallback(order.paymentId);
  };
  const read = (
    provider: OnrampProvider,
    { headers, rawBody }: Awaited<ReturnType<typeof callback>>,
  ) => provider.parseCallback(headers, rawBody);
  const anotherStore = () => new MemoryTokenStore();

  it('is issued once for all replicas, also when all need it at once', async () => {
    expect(issued()).toBe(1);
    const [store, count] = [anotherStore(), issued()];
    const fresh = [1, 2, 3].map(() => stage.provider({}, store));
    await Promise.all([...fresh, ...fresh].map((each) => each.status(order)));
    expect(issued()).toBe(count + 1);
  });

  it('is encrypted where it is stored', async () => {
    const { current } = await stage.store.read('transak');
    const { signingKey } = stage.lab.accessTokens;
    expect(current?.sealed).toMatch(/^[\w-]+\.[\w-]+$/);
    for (const text of [current?.sealed ?? '', ...(current?.sealed.split('.') ?? [])]) {
      expect(Buffer.from(text, 'base64url').includes(signingKey.slice(0, 20))).toBe(false);
    }
  });

  it('is replaced once by all replicas after Transak refuses it', async () => {
    revoke();
    await askAll();
    expect(issued()).toBe(2);
    await askAll();
    expect(issued()).toBe(2);
  });

  it('is read from the store where another replica has replaced it', async () => {
    revoke();
    await replicas[0].status(order);
    await replicas[1].status(order);
    expect(issued()).toBe(2);
  });

  describe('near its expiry', () => {
    let store: MemoryTokenStore;
    beforeEach(async () => {
      store = anotherStore();
      stage.lab.accessTokens.lifetimeMs = MINUTE_MS;
      await stage.provider({}, store).status(order);
    });

    it('is replaced once that is allowed', async () => {
      const count = issued();
      const provider = stage.provider({}, store);
      expect((await provider.status(order)).status).toBe('CREATED');
      expect(issued()).toBe(count);
      store.endPause('transak');
      expect((await provider.status(order)).status).toBe('CREATED');
      expect(issued()).toBe(count + 1);
    });

    it('is used to its end while no other one is issued', async () => {
      store.endPause('transak');
      const proxy = await startCapturingServer(async ({ path, headers }) => {
        if (path.endsWith('/refresh-token')) return { status: 503, body: '{}' };
        const names = ['access-token', 'x-api-key'];
        const sent = names.map((name): [string, string] => [name, String(headers[name])]);
        const response = await fetch(`${stage.lab.url}${path}`, { headers: sent });
        return { status: response.status, body: await response.text() };
      });
      try {
        const provider = stage.provider({ base_url: proxy.url }, store);
        expect((await provider.status(order)).status).toBe('CREATED');
        expect(proxy.requests).toHaveLength(2);
      } finally {
        await proxy.stop();
      }
    });
  });

  it('is not asked for again and again while Transak refuses every one', async () => {
    stage.lab.accessTokens.refusesAll = true;
    stage.store.endPause('transak');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => askInTurn(index)),
    );
    for (let call = 0; call < 20; call += 1) {
      outcomes.push(...(await Promise.allSettled([askInTurn(call)])));
    }
    expect(outcomes.map(({ status }) => status)).toEqual(Array(40).fill('rejected'));
    expect(issued()).toBe(2);
    stage.lab.accessTokens.refusesAll = false;
    await askAll();
    expect(issued()).toBe(2);
  });

  it('is not waited for where nobody may replace it yet', async () => {
    stage.lab.accessTokens.issue();
    const { reads } = stage.store;
    await expect(replicas[1].status(order)).rejects.toMatchObject(UNAVAILABLE);
    expect(stage.store.reads).toBe(reads + 2);
    expect(issued()).toBe(1);
  });

  it('is waited for while another replica replaces it', async () => {
    revoke();
    const { version } = await stage.store.read('transak');
    const claimId = (await stage.store.claim('transak', version)) ?? '';
    const waiting = replicas[0].status(order);
    const reads = stage.store.reads;
    await eventually(() => expect(stage.store.reads).toBeGreaterThan(reads + 2));
    // The other replica is slow: its token comes from a store of its own.
    const slow = anotherStore();
    await stage.provider({}, slow).status(order);
    const { current } = await slow.read('transak');
    await stage.store.replace('transak', claimId, current ?? { sealed: '', expiresAt: new Date() });
    expect((await waiting).status).toBe('CREATED');
    expect(issued()).toBe(2);
  });

  it('is waited for by all calls of a replica together', async () => {
    const calls = 20;
    const mostWaits = 30;
    revoke();
    const { version } = await stage.store.read('transak');
    const claimId = (await stage.store.claim('transak', version)) ?? '';
    const { reads } = stage.store;
    const waiting = Promise.all(Array.from({ length: calls }, () => replicas[0].status(order)));
    await eventually(() => expect(stage.store.reads).toBeGreaterThan(reads + calls + 3));
    const slow = anotherStore();
    await stage.provider({}, slow).status(order);
    const { current } = await slow.read('transak');
    await stage.store.replace('transak', claimId, current ?? { sealed: '', expiresAt: new Date() });
    expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set(['CREATED']));
    expect(stage.store.reads).toBeLessThanOrEqual(reads + calls + mostWaits);
  });

  it('is replaced by another replica after the one that began has crashed', async () => {
    revoke();
    const { version } = await stage.store.read('transak');
    await stage.store.claim('transak', version);
    await expect(replicas[0].status(order)).rejects.toMatchObject(UNAVAILABLE);
    expect(issued()).toBe(1);
    stage.store.endPause('transak');
    await askAll();
    expect(issued()).toBe(2);
  });

  it('does not come back when a slow replica stores an older one', async () => {
    revoke();
    const { version } = await stage.store.read('transak');
    const claimId = (await stage.store.claim('transak', version)) ?? '';
    stage.store.endPause('transak');
    await replicas[1].status(order);
    const late = { sealed: 'late', expiresAt: new Date(Date.now() + MINUTE_MS) };
    expect(await stage.store.replace('transak', claimId, late)).toBeUndefined();
    await askAll();
    expect(issued()).toBe(2);
  });

  it('is replaced by one attempt of a replica, however many of its calls wait for it', async () => {
    revoke();
    const { claims } = stage.store;
    await Promise.all(Array.from({ length: 20 }, () => replicas[0].status(order)));
    expect(stage.store.claims).toBe(claims + 1);
    expect(issued()).toBe(2);
  });

  it('is replaced where the stored one was sealed with another API secret', async () => {
    revoke();
    const claimId = (await stage.store.claim('transak', 1)) ?? '';
    const expiresAt = new Date(Date.now() + 60 * MINUTE_MS);
    await stage.store.replace('transak', claimId, { sealed: 'by another secret', expiresAt });
    stage.store.endPause('transak');
    expect((await replicas[1].status(order)).status).toBe('CREATED');
    expect(issued()).toBe(2);
  });

  it('is issued anew after the API secret was changed', async () => {
    const old = stage.provider({ api_secret: 'a former API secret' });
    stage.store.endPause('transak');
    await expect(old.status(order)).rejects.toMatchObject({
      ...UNAVAILABLE,
      message: expect.stringContaining('Invalid API secret'),
    });
    await askAll();
  });

  it.each([
    ['no token', { data: {} }],
    ['an expired token', { data: { accessToken: 'token', expiresAt: 1_688_606_400 } }],
    ['a token that never expires', { data: { accessToken: 'token', expiresAt: null } }],
    ['a time in milliseconds', { data: { accessToken: 'token', expiresAt: 1_900_000_000_000 } }],
  ])('is not taken from an answer with %s', async (_what, answer) => {
    const server = await startCapturingServer(() => ({ body: JSON.stringify(answer) }));
    try {
      const provider = stage.provider({ base_url: server.url }, anotherStore());
      await expect(provider.status(order)).rejects.toMatchObject(UNAVAILABLE);
      await expect(provider.status(order)).rejects.toMatchObject(UNAVAILABLE);
      expect(server.requests.map(({ path }) => path)).toEqual(['/partners/api/v2/refresh-token']);
    } finally {
      await server.stop();
    }
  });

  describe('with callbacks', () => {
    it('verifies them in each replica, also after it was replaced', async () => {
      const before = await callback(() => press('begin', order));
      revoke();
      await replicas[0].status(order);
      const after = await callback(() => press('pay', order));
      for (const provider of [...replicas, stage.provider()]) {
        expect((await read(provider, before)).paymentId).toBe(order.paymentId);
        expect((await read(provider, after)).paymentId).toBe(order.paymentId);
      }
    });

    it('refuses them once a former one is no longer kept', async () => {
      const before = await callback(() => press('begin', order));
      revoke();
      await replicas[0].status(order);
      const later = anotherStore();
      later.read = async (name) => {
        const tokens = await stage.store.read(name);
        const former = tokens.former.map((token) => ({ ...token, expiresAt: new Date(0) }));
        return { ...tokens, former };
      };
      expect((await read(replicas[1], before)).paymentId).toBe(order.paymentId);
      await expect(read(stage.provider({}, later), before)).rejects.toMatchObject({
        code: 'bad_signature',
      });
    });

    it('refuses forged ones by one read of the store at most, and without a call', async () => {
      stage.lab.faults.set(order.paymentId, { callbacks: 'forged' });
      const forged = await callback(() => press('begin', order));
      const { reads } = stage.store;
      const count = issued();
      const refused = { code: 'bad_signature' };
      await expect(read(replicas[0], forged)).rejects.toMatchObject(refused);
      expect(stage.store.reads).toBe(reads + 1);
      await Promise.all(
        Array.from({ length: 50 }, () =>
          expect(read(replicas[0], forged)).rejects.toMatchObject(refused),
        ),
      );
      expect(stage.store.reads).toBe(reads + 2);
      expect(issued()).toBe(count);
    });

    it('refuses what is no JWT by HMAC without a read of the store', async () => {
      const { reads } = stage.store;
      for (const body of [
        '',
        '{}',
        '{"data":"a.b.c"}',
        '{"data":"eyJhbGciOiJub25lIn0.e30.AAAA"}',
      ]) {
        await expect(replicas[0].parseCallback({}, Buffer.from(body))).rejects.toMatchObject({
          code: 'bad_signature',
        });
      }
      expect(stage.store.reads).toBe(reads);
    });

    it('refuses all before the first one', async () => {
      const sent = await callback(() => press('begin', order));
      const empty = stage.provider({}, anotherStore());
      await expect(read(empty, sent)).rejects.toMatchObject({ code: 'bad_signature' });
    });
  });

  it('is of one account: another entry has its own', async () => {
    const second = stage.provider({ name: 'second' });
    await second.status({ ...order, paymentId: uuidv7() });
    expect((await stage.store.read('second')).version).toBe(1);
    expect((await stage.store.read('transak')).version).toBe(1);
  });
});
