import type { Address } from 'viem';

/** A key does not sign at present. Its reservations wait; other keys continue. */
export class UnsignedError extends Error {
  constructor(
    readonly signer: Address,
    readonly retryInMs: number,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${signer} cannot sign: ${reason}`, options);
    this.name = 'UnsignedError';
  }
}
