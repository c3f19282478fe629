import type { KeyObject } from 'node:crypto';
import { providerError } from '../port/provider-error.js';
import { verifyTimestampedSignature } from './timestamped-signature.js';

interface SignedCallback {
  /** Value of the provider's header. */
  header: string | string[] | undefined;
  scheme: string;
  rawBody: Buffer;
  now?: Date;
}

const TOLERANCE_SECONDS = 300;

/** Requires a timestamped signature of the provider, at most five minutes old. @throws ProviderError `bad_signature` */
export function requireSignature(
  provider: string,
  key: KeyObject,
  { header, scheme, rawBody, now = new Date() }: SignedCallback,
): void {
  const isSigned =
    typeof header === 'string' &&
    verifyTimestampedSignature(key, {
      header,
      scheme,
      rawBody,
      now,
      toleranceSeconds: TOLERANCE_SECONDS,
    });
  if (!isSigned) {
    throw providerError(provider, 'bad_signature', 'the callback is not signed by the provider');
  }
}
