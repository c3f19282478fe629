import { randomBytes } from 'node:crypto';

export const SIGNING_SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** In the form of Standard Webhooks, so that its verifiers take it as it is. */
export const newSigningSecret = (): string =>
  SIGNING_SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
