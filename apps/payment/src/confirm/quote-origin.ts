import { forbidden, invalidField } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { quotedMode } from './payment-terms.js';
import type { QuotedFacts } from './payment-terms.js';

/**
 * Compares the mode too: while services are updated, older ones quote live chains to test keys.
 * @throws ServiceError for a token of another organisation or of a key of the other mode
 */
export function requireOwnQuote(
  state: QuotedFacts,
  { orgId, mode = 'live' }: Caller,
  [field, what]:
    readonly ['state_token', 'quote'] | readonly ['verification_token', 'verification'],
): void {
  if (state.org_id !== orgId) throw forbidden(`The ${what} belongs to another organisation.`);
  if (quotedMode(state) !== mode) {
    throw invalidField(
      [field],
      `Expected a quote for a ${mode} key, found one for a ${quotedMode(state)} key. Request a new one.`,
    );
  }
}
