import { setTimeout as delay } from 'node:timers/promises';
import type { OrderFault } from './order-fault.js';

export interface Callback {
  url: string;
  /** Text, or the text that a key signs. */
  body: string | ((key: string) => string);
  /** Headers with the signature by a key. */
  sign?: (key: string) => Readonly<Record<string, string>>;
  key: string;
  /** First news of its order. */
  isFirst: boolean;
}

interface Message {
  url: string;
  body: string;
  headers: Readonly<Record<string, string>>;
}

const LATE_MS = 1_000;
const ATTEMPTS = 6;
const FIRST_DELAY_MS = 200;
const TIMEOUT_MS = 5_000;

/** Sends callbacks until a 2xx, as providers do: each on its own, in no order. */
export class Callbacks {
  private readonly stopped = new AbortController();

  send(callback: Callback, fault: OrderFault['callbacks']): void {
    if (fault === 'lost') return;
    const { url, body, sign = () => ({}) } = callback;
    const key = fault === 'forged' ? 'another key' : callback.key;
    const text = typeof body === 'string' ? body : body(key);
    const message = { url, body: text, headers: sign(key) };
    const isLate = fault === 'reversed' && callback.isFirst;
    for (let copy = fault === 'twice' ? 2 : 1; copy > 0; copy -= 1) {
      void this.repeat(message, isLate ? LATE_MS : 0).catch(() => undefined);
    }
  }

  stop(): void {
    this.stopped.abort();
  }

  private async repeat({ url, body, headers }: Message, waitMs: number): Promise<void> {
    const { signal } = this.stopped;
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
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
