import { setTimeout as delay } from 'node:timers/promises';
import { Api, type Answer, type RequestOptions } from '../../../tools/first-payment/api.js';
import { ContractViolation } from '../../schemas/contract-violation.js';
import type { RequestLog } from './request-log.js';

const ATTEMPT_MS = 20_000;
/** Covers a service that is killed again right after its start, which takes up to a minute on a busy machine. */
const PATIENCE_MS = 240_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/** API client that retries broken connections and unavailable services, and logs every attempt. */
export class RetryingApi extends Api {
  readonly #log: RequestLog;

  constructor(baseUrl: string, key: string, log: RequestLog) {
    super(baseUrl, key);
    this.#log = log;
  }

  override async request(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer> {
    return retryUntilAnswered(`${method} ${path}`, () => this.#attempt(method, path, options));
  }

  async #attempt(method: string, path: string, options: RequestOptions): Promise<Answer | string> {
    const finish = this.#log.begin(path);
    try {
      const signal = AbortSignal.timeout(ATTEMPT_MS);
      // An idle connection may end while a request is sent on it, which no server can prevent.
      const headers = { ...options.headers, connection: 'close' };
      const answer = await super.request(method, path, { ...options, headers, signal });
      if (!isTransient(answer.status)) {
        finish(answer.status);
        return answer;
      }
      const refusal = `it answered ${answer.status}: ${JSON.stringify(answer.body)}`;
      finish(answer.status, refusal);
      return refusal;
    } catch (error) {
      const cause = causeOf(error);
      finish(null, cause);
      if (error instanceof ContractViolation) throw error;
      return cause;
    }
  }
}

export const isTransient = (status: number): boolean => status === 429 || status >= 500;

/** Reads the chain of causes; inside Jest, Node's errors fail `instanceof Error`. */
export function causeOf(error: unknown): string {
  const { cause } = Object(error) as { cause?: unknown };
  return cause === undefined ? String(error) : `${String(error)}: ${causeOf(cause)}`;
}

/**
 * Retries with backoff until there is a response; a string is the reason of a failed attempt.
 * @throws Error with the last reason when it takes too long
 */
export async function retryUntilAnswered<T extends object>(
  what: string,
  attempt: () => Promise<T | string>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const outcome = await attempt();
    if (typeof outcome !== 'string') return outcome;
    if (Date.now() > deadline) throw new Error(`${what}, for ${patienceMs / 1000} s: ${outcome}`);
    await delay(pause);
  }
}
