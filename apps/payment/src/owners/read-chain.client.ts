import { unavailable } from '@bascule/contracts';
import { withTimeout } from '@bascule/process';

const TIMEOUT_MS = 5_000;

/**
 * Awaits an answer of a chain.
 * @throws ServiceError 503 for every failure
 */
export async function readChain<T>(chain: string, answer: Promise<T>): Promise<T> {
  try {
    return await withTimeout(TIMEOUT_MS, answer);
  } catch (cause) {
    throw Object.assign(unavailable(`Could not read the chain ${chain}. Try again.`), { cause });
  }
}
