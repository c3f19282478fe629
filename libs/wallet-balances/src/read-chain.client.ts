import { withTimeout } from '@bascule/process';
import { ChainUnreadableError } from './chain-unreadable-error.js';

/**
 * Awaits an answer of a chain for at most `ms`.
 * @throws ChainUnreadableError for every failure
 */
export async function readChain<T>(chain: string, ms: number, answer: Promise<T>): Promise<T> {
  try {
    return await withTimeout(ms, answer);
  } catch (cause) {
    throw cause instanceof ChainUnreadableError ? cause : new ChainUnreadableError(chain, cause);
  }
}
