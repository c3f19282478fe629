import { describe, expect, it } from '@jest/globals';
import { settleWithGrace } from './settle-with-grace.js';

const never = new Promise<number>(() => undefined);
const no = () => Promise.reject<number>(new Error('no'));

describe('settleWithGrace', () => {
  it('returns all results in the order of the calls', async () => {
    const slow = Promise.resolve().then(() => 1);
    expect(await settleWithGrace([slow, Promise.resolve(2), no()], 1_000)).toMatchObject({
      values: [1, 2],
      reasons: [{ message: 'no' }],
    });
  });

  it('does not wait for a hanging call after another result', async () => {
    expect(await settleWithGrace([never, Promise.resolve(2)], 1)).toEqual({
      values: [2],
      reasons: [],
    });
  });

  it('waits for the last call while there is no result', async () => {
    expect((await settleWithGrace([no(), no()], 1)).reasons).toHaveLength(2);
  });
});
