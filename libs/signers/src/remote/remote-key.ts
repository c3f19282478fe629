import type { KeyObject } from 'node:crypto';
import type { SignerProvider } from '../signer-error.js';

/** Signature as services answer: DER of r and s, or 64 bytes r‖s. */
export interface EncodedSignature {
  readonly form: 'der' | 'raw';
  readonly bytes: Uint8Array;
}

/** HTTP status and error code, where the service answered. */
export interface ServiceFailure {
  readonly status: number | undefined;
  readonly code: string | undefined;
}

/** One key of a key management service: each call is one attempt. */
export interface RemoteKey {
  readonly provider: SignerProvider;
  /** Codes of failures that a retry can help, beside those of 408, 429 and 5xx. */
  readonly transientCodes: readonly string[];
  publicKey(signal: AbortSignal): Promise<KeyObject>;
  /** @param digest 32 bytes */
  sign(digest: Uint8Array, signal: AbortSignal): Promise<EncodedSignature>;
  failureOf(error: unknown): ServiceFailure;
  close(): void;
}

/** Answer that is not of the key, or corrupt. */
export class InvalidAnswerError extends Error {
  override readonly name = 'InvalidAnswerError';

  constructor(
    problem: string,
    /** Corruption on the way, which another attempt does not have. */
    readonly isTransient = false,
  ) {
    super(problem);
  }
}
