import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { blockAtOrBefore } from './block-at-or-before.js';

/** Searches a chain with these block times and an expected block interval. */
async function ask(timestamps: readonly bigint[], time: bigint, blockTimeMs: number) {
  let reads = 0;
  const at = (number: bigint) => {
    const timestamp = timestamps[Number(number)];
    if (timestamp === undefined) throw new Error(`block ${number} not found`);
    return { number, timestamp };
  };
  const head = at(BigInt(timestamps.length - 1));
  const number = await blockAtOrBefore(time, head, blockTimeMs, async (wanted) => {
    reads += 1;
    return at(wanted);
  });
  return { number, reads };
}
const everySecond = Array.from({ length: 20_000 }, (_, index) => 1_000n + BigInt(index));

describe('blockAtOrBefore', () => {
  it('returns the head when it is old enough', async () => {
    expect(await ask(everySecond, 21_000n, 1_000)).toEqual({ number: 19_999n, reads: 0 });
  });

  it('finds the block in one step at the expected block interval', async () => {
    expect(await ask(everySecond, 16_000n, 1_000)).toEqual({ number: 14_999n, reads: 1 });
  });

  it('finds the block in few steps at a far shorter block interval', async () => {
    const { number, reads } = await ask(everySecond, 11_000n, 60_000);
    expect(everySecond[Number(number)]).toBeLessThanOrEqual(11_000n);
    expect(reads).toBeLessThanOrEqual(10);
  });

  it('returns the first block of a younger chain', async () => {
    expect(await ask(everySecond, 5n, 1_000)).toEqual({ number: 0n, reads: 1 });
  });

  it('never returns a block younger than the time, except the first block', async () => {
    const gaps = fc.array(fc.bigInt({ min: 0n, max: 1_000n }), { minLength: 1, maxLength: 300 });
    const time = fc.bigInt({ min: 0n, max: 100_000n });
    const blockTimeMs = fc.integer({ min: 200, max: 15_000 });
    await fc.assert(
      fc.asyncProperty(gaps, time, blockTimeMs, async (between, wanted, ms) => {
        let now = 0n;
        const timestamps = between.map((gap) => (now += gap));
        const { number, reads } = await ask(timestamps, wanted, ms);
        if (number > 0n) expect(timestamps[Number(number)]).toBeLessThanOrEqual(wanted);
        expect(reads).toBeLessThan(20);
      }),
    );
  });
});
