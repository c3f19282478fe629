import { JsonClient, PeerError } from '@bascule/json-client';
import { withUrlOrigins } from '@bascule/process';
import type { Check, Outcome } from '../finding.js';
import { ok, unknown } from '../finding.js';
import { validServices } from '../deployment.js';

const TIMEOUT_MS = 5_000;

/** Attesters answer at their URLs; what they attest is asked of them with an order only. */
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
    await client.get('', signal);
    return [ok()];
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
    // Any answer is one, also of a page that it does not have.
    return ['unreadable', 'unexpected_status'].includes(error.reason)
      ? [ok()]
      : [unknown(error.message, 'check ATTESTER_URLS, and ask its operator')];
  } finally {
    await client.close();
  }
}
