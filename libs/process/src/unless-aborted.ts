/**
 * Waits for work until the signal aborts, also when the work ignores it and continues.
 *
 * @throws the reason of the signal, or the error of the work
 */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}
