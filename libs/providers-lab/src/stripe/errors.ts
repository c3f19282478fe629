import type { LabAnswer } from '../server/lab-server.js';

/** Answers with Stripe's error envelope. */
export const refused = (
  message: string,
  { status = 400, type = 'invalid_request_error', code }: ErrorDetails = {},
): LabAnswer => ({
  status,
  json: { error: { type, message, ...(code !== undefined && { code: `crypto_onramp_${code}` }) } },
});

interface ErrorDetails {
  status?: number;
  type?: string;
  /** Without `crypto_onramp_`. */
  code?: string;
}
