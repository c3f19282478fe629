import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { Bench } from './testing/sending-stage.fixture.js';

const RECIPIENT = '0x00000000000000000000000000000000000000AA';
const PAYMENT = { to: RECIPIENT, data: '0x', value: 1n } as const;
/** Slots of a chain. */
const SLOTS = 8;
const CHAINS = 2;

describe('a pass over a transaction', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterEach(() => bench.stopReplicas());
  afterAll(() => bench.stop());

  it('frees its slot at its deadline', async () => {
    const { privateKey } = await bench.fundedKey();
    const settled = new Set<string>();
    let finish: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (finish = resolve));
    const replica = await bench.replica(privateKey, {
      deadlineMs: 1_000,
      settled: (reference) => {
        settled.add(reference);
        return held;
      },
    });
    const references = Array.from({ length: SLOTS + 1 }, (_, index) => `pass ${index}`);
    for (const reference of references) {
      await replica.record({ ...PAYMENT, chain: 'alphanet', reference });
    }
    replica.work();
    await eventually(() => expect([...settled].sort()).toEqual(references), { timeoutMs: 60_000 });
    finish();
  });

  it('takes no slot of another chain, however many of its own chain wait', async () => {
    const [key, other] = [await bench.fundedKey(), await bench.fundedKey()];
    let holding = 0;
    const held = Promise.withResolvers<void>();
    const replica = await bench.replica(key.privateKey, {
      betanetKey: other.privateKey,
      // No pass ends before the test does.
      deadlineMs: 3_600_000,
      settled: async (reference) => {
        if (!reference.startsWith('holder')) return;
        holding += 1;
        await held.promise;
      },
    });
    const holders = Array.from({ length: SLOTS * CHAINS + 1 }, (_, index) => `holder ${index}`);
    for (const reference of holders) {
      await replica.record({ ...PAYMENT, chain: 'alphanet', reference });
    }
    replica.work();
    try {
      await eventually(() => expect(holding).toBe(SLOTS), { timeoutMs: 60_000 });
      await replica.record({ ...PAYMENT, chain: 'betanet', reference: 'other chain' });
      await eventually(() => expect(replica.of('other chain')).toHaveLength(1), {
        timeoutMs: 60_000,
      });
      expect(holding).toBe(SLOTS);
    } finally {
      held.resolve();
    }
  });
});
