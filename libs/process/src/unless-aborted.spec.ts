import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { unlessAborted } from './unless-aborted.js';

const endless = () => new Promise<never>(() => undefined);

describe('unlessAborted', () => {
  it('passes on the result and the error of the work', async () => {
    const { signal } = new AbortController();
    await expect(unlessAborted(signal, () => Promise.resolve(7))).resolves.toBe(7);
    await expect(unlessAborted(signal, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    );
  });

  it('rejects with the reason of the signal once it aborts, also when the work goes on', async () => {
    const controller = new AbortController();
    const waiting = unlessAborted(controller.signal, endless);
    controller.abort(new Error('stops'));
    await expect(waiting).rejects.toThrow('stops');
  });

  it('begins no work after the signal aborted', async () => {
    let begun = 0;
    const work = () => {
      begun += 1;
      return Promise.resolve();
    };
    await expect(unlessAborted(AbortSignal.abort(new Error('stops')), work)).rejects.toThrow(
      'stops',
    );
    expect(begun).toBe(0);
  });

  it('leaves no listener on a signal that outlives the work', async () => {
    const { signal } = new AbortController();
    const working = unlessAborted(signal, () => Promise.resolve());
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await working;
    await unlessAborted(signal, () => Promise.reject(new Error('no'))).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
