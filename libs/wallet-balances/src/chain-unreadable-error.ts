import { ServiceError } from '@bascule/contracts';

/** No endpoint of the chain gave a usable answer in time. */
export class ChainUnreadableError extends ServiceError {
  constructor(
    readonly chain: string,
    cause?: unknown,
  ) {
    const message = `Could not read the chain ${chain}. Try again later.`;
    super('unavailable', [{ kind: 'unknown', message }], { cause });
    this.name = 'ChainUnreadableError';
  }
}
