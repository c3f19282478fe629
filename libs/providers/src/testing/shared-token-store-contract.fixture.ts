import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { SharedToken, SharedTokenStore } from '../port/shared-token-store.js';

interface TokenStoreHarness {
  /** Two replicas of one store. */
  replicas: readonly [SharedTokenStore, SharedTokenStore];
  /** Ends the pause after a claim, as time does. */
  endPause(provider: string): Promise<void>;
  stop(): Promise<void>;
}

const aToken = (sealed: string): SharedToken => ({
  sealed,
  expiresAt: new Date('2099-01-01T00:00:00.123Z'),
});

/** Contract of a store of shared access tokens. */
export function sharedTokenStoreContract(
  name: string,
  start: () => Promise<TokenStoreHarness>,
): void {
  describe(`the store of access tokens ${name}`, () => {
    let harness: TokenStoreHarness;
    beforeAll(async () => {
      harness = await start();
    });
    afterAll(() => harness.stop());

    const aProvider = () => `provider-${randomUUID()}`;

    async function stored(provider: string, ...sealed: string[]): Promise<void> {
      const [store] = harness.replicas;
      for (const [version, text] of sealed.entries()) {
        await harness.endPause(provider);
        const claimId = (await store.claim(provider, version)) ?? '';
        expect(await store.replace(provider, claimId, aToken(text))).toBe(version + 1);
      }
      await harness.endPause(provider);
    }

    it('has no token at first', async () => {
      const empty = { version: 0, current: null, former: [], isClaimed: false };
      expect(await harness.replicas[0].read(aProvider())).toEqual(empty);
    });

    it('gives each replica the token that one of them stored', async () => {
      const provider = aProvider();
      await stored(provider, 'first');
      const kept = { version: 1, current: aToken('first'), former: [], isClaimed: false };
      for (const store of harness.replicas) expect(await store.read(provider)).toEqual(kept);
    });

    it('keeps the tokens of providers apart', async () => {
      const [one, other] = [aProvider(), aProvider()];
      await stored(one, 'of one');
      await stored(other, 'of the other');
      const { current } = await harness.replicas[1].read(one);
      expect(current?.sealed).toBe('of one');
    });

    it('grants one of many claims at once', async () => {
      const provider = aProvider();
      const [one, other] = harness.replicas;
      const claims = await Promise.all(
        [one, other, one, other].map((store) => store.claim(provider, 0)),
      );
      expect(claims.filter((claimId) => claimId !== undefined)).toHaveLength(1);
      expect((await one.read(provider)).isClaimed).toBe(true);
    });

    it('grants no claim of a version that was replaced', async () => {
      const provider = aProvider();
      await stored(provider, 'first', 'second');
      expect(await harness.replicas[1].claim(provider, 1)).toBeUndefined();
      expect(await harness.replicas[1].claim(provider, 2)).toBeDefined();
    });

    it('grants no claim soon after another one, whether it brought a token or not', async () => {
      const [one, other] = harness.replicas;
      const [failing, working] = [aProvider(), aProvider()];
      await one.release(failing, (await one.claim(failing, 0)) ?? '');
      await one.replace(working, (await one.claim(working, 0)) ?? '', aToken('first'));
      for (const [provider, version] of [
        [failing, 0],
        [working, 1],
      ] as const) {
        expect((await other.read(provider)).isClaimed).toBe(false);
        expect(await other.claim(provider, version)).toBeUndefined();
        await harness.endPause(provider);
        expect(await other.claim(provider, version)).toBeDefined();
      }
    });

    it('lets another replica claim what a crashed one left', async () => {
      const provider = aProvider();
      const [crashed, other] = harness.replicas;
      const left = (await crashed.claim(provider, 0)) ?? '';
      expect(await other.claim(provider, 0)).toBeUndefined();
      await harness.endPause(provider);
      const claimId = (await other.claim(provider, 0)) ?? '';
      // The first one was only slow: its token is older.
      expect(await crashed.replace(provider, left, aToken('late'))).toBeUndefined();
      await crashed.release(provider, left);
      expect(await other.replace(provider, claimId, aToken('newer'))).toBe(1);
      expect((await crashed.read(provider)).current?.sealed).toBe('newer');
    });

    it('keeps three former tokens for a day', async () => {
      const provider = aProvider();
      await stored(provider, 'a', 'b', 'c', 'd', 'e');
      const { current, former } = await harness.replicas[1].read(provider);
      expect([current?.sealed, ...former.map(({ sealed }) => sealed)]).toEqual([
        'e',
        'd',
        'c',
        'b',
      ]);
      const hours = former.map(({ expiresAt }) => (expiresAt.getTime() - Date.now()) / 3_600_000);
      expect(Math.min(...hours)).toBeGreaterThan(23);
      expect(Math.max(...hours)).toBeLessThanOrEqual(24.01);
    });
  });
}
