import { ServiceError } from '@bascule/contracts';
import { inTime } from '@bascule/process';

/** No node of the chain gave a usable answer in time. */
export class ChainUnreadableError extends ServiceError {
  constructor(
    readonly chain: string,
    cause?: unknown,
  ) {
    const message = `The chain ${chain} cannot be read at the moment; try again later.`;
    super('unavailable', [{ kind: 'unknown', message }], { cause });
    this.name = 'ChainUnreadableError';
  }
}

/** Waits for an answer of a chain no longer than `ms`; any failure is the chain's. */
export async function within<T>(chain: string, ms: number, answer: Promise<T>): Promise<T> {
  try {
    return await inTime(answer, ms);
  } catch (cause) {
    throw cause instanceof ChainUnreadableError ? cause : new ChainUnreadableError(chain, cause);
  }
}
