import { describe, expect, it } from '@jest/globals';
import { TimeoutError } from '@bascule/process';
import { LegSlotsWorker } from './leg-slots.worker.js';

const never = () => new Promise<void>(() => undefined);
const atOnce = () => Promise.resolve();

/** Work that ends when `finish` is called. */
function held() {
  let finish: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (finish = resolve));
  return { work: () => promise, finish };
}

describe('LegSlotsWorker', () => {
  it('releases the slot of work that times out', async () => {
    await expect(new LegSlotsWorker(20, 1).run('betanet', never)).rejects.toThrow(TimeoutError);
  });

  it('rethrows the error of the work', async () => {
    const failing = () => Promise.reject(new Error('no such block'));
    await expect(new LegSlotsWorker(60_000, 1).run('betanet', failing)).rejects.toThrow(
      'no such block',
    );
  });

  it('runs work concurrently on an available chain', async () => {
    const slots = new LegSlotsWorker(60_000, 1);
    const first = held();
    const second = held();
    const runs = [slots.run('alphanet', first.work), slots.run('alphanet', second.work)];
    first.finish();
    second.finish();
    expect(await Promise.all(runs)).toEqual([true, true]);
  });

  it('limits an unavailable chain to one probe until it answers again', async () => {
    const slots = new LegSlotsWorker(300, 1);
    await expect(slots.run('betanet', never)).rejects.toThrow(TimeoutError);
    const probe = slots.run('betanet', never).catch(() => 'too slow');
    expect(await slots.run('betanet', atOnce)).toBe(false);
    expect(await slots.run('alphanet', atOnce)).toBe(true);
    expect(await probe).toBe('too slow');
    expect(await slots.run('betanet', atOnce)).toBe(true);
    const again = held();
    const runs = [slots.run('betanet', again.work), slots.run('betanet', atOnce)];
    again.finish();
    expect(await Promise.all(runs)).toEqual([true, true]);
  });
});
