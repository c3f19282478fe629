import { setTimeout as delay } from 'node:timers/promises';

export interface Callback {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const ATTEMPTS = 6;
const FIRST_DELAY_MS = 200;
const TIMEOUT_MS = 5_000;

/** Sends callbacks until a 2xx, as providers do: each on its own, in no order. */
export class Callbacks {
  private readonly stopped = new AbortController();

  send(callback: Callback): void {
    void this.attempt(callback).catch(() => undefined);
  }

  stop(): void {
    this.stopped.abort();
  }

  private async attempt({ url, headers, body }: Callback): Promise<void> {
    const { signal } = this.stopped;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body,
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        });
        if (response.ok) return;
      } catch (error) {
        if (signal.aborted) throw error;
      }
      await delay(FIRST_DELAY_MS * 2 ** attempt, undefined, { signal });
    }
  }
}
