import { JsonClient, PeerError } from '@bascule/json-client';
import { withUrlOrigins } from '@bascule/process';
import type { Check, Outcome } from '../finding.js';
import { ok, unknown, wrong } from '../finding.js';
import { validServices } from '../deployment.js';

const TIMEOUT_MS = 5_000;

const ACTION = 'correct ATTESTER_URLS';

/** Attesters answer at their URLs, as such: each refuses a request without an order. */
export const attesters: Check = {
  name: 'attesters',
  probes: (deployment) =>
    validServices(deployment).flatMap(({ name, facts: { attesterUrls = [] } }) =>
      attesterUrls.map((url) => ({
        subject: `${name} ${withUrlOrigins(url)}`,
        read: (signal: AbortSignal) => outcomesOf(url, signal),
      })),
    ),
};

async function outcomesOf(baseUrl: string, signal: AbortSignal): Promise<readonly Outcome[]> {
  const client = new JsonClient({ peer: 'attester', baseUrl, timeoutMs: TIMEOUT_MS });
  try {
    const { status, body } = await client.post('v1/attestations', {}, signal);
    return [isRefusal(body) ? ok() : wrong(`answered ${status}, not as an attester`, ACTION)];
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    return [
      error.reason === 'unreadable'
        ? wrong('answered without JSON, not as an attester', ACTION)
        : unknown(error.message, 'check ATTESTER_URLS, and ask its operator'),
    ];
  } finally {
    await client.close();
  }
}

/** Whether it says, as an attester does, that the request names no order. */
const isRefusal = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  'error' in body &&
  typeof body.error === 'object' &&
  body.error !== null &&
  'code' in body.error &&
  body.error.code === 'invalid_request';
