const TIMEOUT_MS = 1_000;

/** Outcome of a probe that was not answered in time. */
export const NO_RESPONSE = 'no response';

/** `true` when the process with this port for operations is ready, else why not. */
export async function probeReady(port: number): Promise<true | string> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await response.text();
    return response.ok || body;
  } catch {
    return NO_RESPONSE;
  }
}
