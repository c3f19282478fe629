import type { Issue, Payment } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';

/** In place of a provider's own words, which may be about the customer. */
const PROVIDER_ISSUE: Issue = {
  kind: 'provider',
  message: 'The provider did not complete the order.',
};

/** Leaves out what only secret keys may read about an organisation's customer. */
export function visibleTo({ kind }: Pick<Caller, 'kind'>, payment: Payment): Payment {
  if (kind === 'secret') return payment;
  const { customer_id: _id, quote_request, ...visible } = payment;
  const { customer_id: _, tags: _tags, customer_ip_address: _address, ...request } = quote_request;
  const issues = payment.issues.map((issue) =>
    issue.kind === 'provider' ? PROVIDER_ISSUE : issue,
  );
  return { ...visible, issues, quote_request: request };
}
