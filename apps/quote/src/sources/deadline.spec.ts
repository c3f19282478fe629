import { describe, expect, it } from '@jest/globals';
import { DeadlineError, withDeadline } from './deadline.js';

describe('withDeadline', () => {
  it('gives what the work gives', async () => {
    expect(await withDeadline(1_000, async () => 7)).toBe(7);
    const failing = withDeadline(1_000, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
  });

  it('ends work that takes too long, and tells it', async () => {
    let aborted: AbortSignal | undefined;
    const work = withDeadline(5, (signal) => {
      aborted = signal;
      return new Promise<never>(() => undefined);
    });
    await expect(work).rejects.toThrow(DeadlineError);
    expect(aborted?.aborted).toBe(true);
  });
});
