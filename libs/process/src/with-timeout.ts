/** Work that took longer than its deadline. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';

  constructor(ms: number) {
    super(`timed out after ${ms} ms`);
  }
}

/**
 * Waits at most this long for work. At the deadline its signal is aborted; work that ignores the signal goes on.
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

/** Waits at most this long for work to succeed or fail; the work goes on. */
export const settlesWithin = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  withTimeout(
    ms,
    work.then(
      () => true,
      () => true,
    ),
  ).catch(() => false);
