/** Error of work that exceeded its deadline. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';

  constructor(ms: number) {
    super(`timed out after ${ms} ms`);
  }
}

/**
 * Waits for work up to a deadline, then aborts its signal; work that ignores the signal continues.
 *
 * @throws TimeoutError at the deadline, or the error of the work
 */
export async function withTimeout<T>(
  ms: number,
  work: Promise<T> | ((signal: AbortSignal) => Promise<T> | T),
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new TimeoutError(ms);
      controller.abort(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([
      typeof work === 'function' ? work(controller.signal) : work,
      deadline,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for work to settle up to a deadline; the work continues. */
export const settlesWithin = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  withTimeout(
    ms,
    work.then(
      () => true,
      () => true,
    ),
  ).catch(() => false);
