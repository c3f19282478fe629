/** `invalid`: altered, of another kind, or sealed with a removed key. */
export type SealedTokenErrorCode = 'invalid' | 'expired' | 'too_large';

export class SealedTokenError extends Error {
  constructor(
    readonly code: SealedTokenErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'SealedTokenError';
  }
}
