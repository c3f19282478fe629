export interface EventuallyOptions {
  timeoutMs?: number;
  intervalMs?: number;
}

/** Repeats an assertion until it holds; when time is up, throws what it threw last. */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  { timeoutMs = 30_000, intervalMs = 50 }: EventuallyOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
