import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { Bench } from './testing/sending-stage.fixture.js';

const RECIPIENT = '0x00000000000000000000000000000000000000AA';
/** Slots of a chain. */
const SLOTS = 8;

describe('a pass over a transaction', () => {
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.start();
  });
  afterAll(async () => {
    await bench.stopReplicas();
    await bench.stop();
  });

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
      const request = {
        chain: 'alphanet',
        reference,
        to: RECIPIENT,
        data: '0x',
        value: 1n,
      } as const;
      await replica.dataSource.transaction((manager) => replica.sender.record(manager, request));
    }
    replica.work();
    await eventually(() => expect([...settled].sort()).toEqual(references), { timeoutMs: 60_000 });
    finish();
  });
});
