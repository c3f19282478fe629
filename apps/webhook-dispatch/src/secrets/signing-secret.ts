import { randomBytes } from 'node:crypto';

export const SIGNING_SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Creates a secret in the form of Standard Webhooks, which its verifiers accept unchanged. */
export const newSigningSecret = (): string =>
  SIGNING_SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
