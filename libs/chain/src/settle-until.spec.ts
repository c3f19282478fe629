import { describe, expect, it } from '@jest/globals';
import { settleUntil } from './settle-until.js';

const never = new Promise<number>(() => undefined);
const no = () => Promise.reject<number>(new Error('no'));
const isTwo = (values: readonly number[]) => values.length === 2;

describe('settleUntil', () => {
  it('waits for no call once the results are enough', async () => {
    const slower = new Promise<number>((resolve) => setImmediate(resolve, 1));
    const reads = [never, slower, no(), Promise.resolve(2)];
    expect((await settleUntil(reads, isTwo)).values).toEqual([1, 2]);
  });

  it('waits for all calls while the results are not enough', async () => {
    expect(await settleUntil([no(), Promise.resolve(1)], isTwo)).toEqual({
      values: [1],
      reasons: [new Error('no')],
    });
    expect(await settleUntil([], isTwo)).toEqual({ values: [], reasons: [] });
  });
});
