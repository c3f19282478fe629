/** The work took longer than it may. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/**
 * Waits for an answer, but no longer than this; the work itself goes on.
 * @throws TooSlowError when there is none within so many milliseconds, or what the work throws
 */
export function inTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new TooSlowError(`no answer within ${ms} ms`));
    }, ms);
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
