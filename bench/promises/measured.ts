import { setTimeout as delay } from 'node:timers/promises';
import { target } from '../lib/targets.js';

const POLL_MS = 20;
/** Longest wait for a state, far beyond every target. */
const GIVE_UP_MS = 180_000;

/** Prints a promise, its measured time and its target, in milliseconds. */
export function report(promise: string, measuredMs: number, mostMs: number): void {
  target(`${promise}: ${inUnits(measuredMs)} (target ${inUnits(mostMs)})`, measuredMs <= mostMs);
}

const inUnits = (ms: number): string =>
  ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(2)} s`;

/** Milliseconds from the call until `isSo` is true. */
export async function timeUntil(isSo: () => boolean | Promise<boolean>): Promise<number> {
  const started = performance.now();
  while (!(await isSo())) {
    if (performance.now() - started > GIVE_UP_MS) return Number.POSITIVE_INFINITY;
    await delay(POLL_MS);
  }
  return performance.now() - started;
}

/** Milliseconds from the end of `work` until `isSo` is true, which is asked from its start on. */
export async function timeAfter(
  work: Promise<unknown>,
  isSo: () => Promise<boolean>,
): Promise<number> {
  let isDone = false;
  const ended = work.then(() => {
    isDone = true;
    return performance.now();
  });
  await Promise.all([ended, timeUntil(async () => (await isSo()) && isDone)]);
  return performance.now() - (await ended);
}
