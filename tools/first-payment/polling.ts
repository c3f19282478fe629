import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks until the answer is there.
 * @throws Error naming what was waited for when the time is up
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null>,
  { timeoutMs = 60_000, intervalMs = 200 } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() >= deadline)
      throw new Error(`timed out after ${timeoutMs / 1000} s waiting for ${what}`);
    await delay(intervalMs);
  }
}
