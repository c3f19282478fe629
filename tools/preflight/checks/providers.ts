import { createOnrampQuoters, ProviderError, type OnrampQuoter } from '@bascule/providers';
import type { Check, Outcome } from '../finding.js';
import { ok, unknown, wrong } from '../finding.js';
import { validServices } from '../deployment.js';

/** Onramps accept our credentials for what they sell: a question that changes nothing. */
export const providers: Check = {
  name: 'providers',
  probes: (deployment) =>
    validServices(deployment).flatMap(({ name, facts }) =>
      [...createOnrampQuoters(facts.providers ?? []).values()].map((provider) => ({
        subject: `${name} ${provider.name}`,
        read: (signal: AbortSignal) => outcomesOf(provider, signal),
      })),
    ),
};

async function outcomesOf(
  provider: OnrampQuoter,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  try {
    const { fiats, tokens } = await provider.coverage(signal);
    const sold = `${fiats.length} currencies, ${tokens.length} tokens`;
    return fiats.length > 0 && tokens.length > 0
      ? [ok(sold)]
      : [wrong(`sells nothing here: ${sold}`, 'compare its entry with what it sells, and CHAINS')];
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.retryable
      ? [unknown(error.message, 'try again; then check base_url and api_key of its entry')]
      : [wrong(error.message, 'correct the credentials of its entry in PROVIDERS')];
  }
}
