import type { Payment } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';

/** Leaves out what only secret keys may read about an organisation's customer. */
export function visibleTo({ kind }: Pick<Caller, 'kind'>, payment: Payment): Payment {
  if (kind === 'secret') return payment;
  const { customer_id: _id, quote_request, ...visible } = payment;
  const { customer_id: _, tags: _tags, customer_ip_address: _address, ...request } = quote_request;
  return { ...visible, quote_request: request };
}
