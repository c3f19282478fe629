export interface EventuallyOptions {
  timeoutMs?: number;
  intervalMs?: number;
}

/** Error that fails a test at once, since a repetition would hide it. */
export interface FinalError extends Error {
  readonly isFinal: true;
}

const isFinal = (error: unknown): boolean =>
  error instanceof Error && 'isFinal' in error && error.isFinal === true;

/** Repeats an assertion until it holds; after the timeout, throws its last error. */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  { timeoutMs = 30_000, intervalMs = 50 }: EventuallyOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (isFinal(error) || Date.now() >= deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
