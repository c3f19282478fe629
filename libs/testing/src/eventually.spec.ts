import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.js';

describe('eventually', () => {
  it('repeats an assertion until it holds', async () => {
    let asked = 0;
    const holds = await eventually(() => {
      asked += 1;
      expect(asked).toBe(3);
      return asked;
    });
    expect(holds).toBe(3);
  });

  it('throws a final error at once', async () => {
    let asked = 0;
    const violation = Object.assign(new Error('against the contract'), { isFinal: true });
    const failing = eventually(() => {
      asked += 1;
      throw violation;
    });
    await expect(failing).rejects.toBe(violation);
    expect(asked).toBe(1);
  });
});
