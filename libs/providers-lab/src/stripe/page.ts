import { checkoutPage } from '../server/html.js';
import type { Session } from './sessions.js';

/** Hosted page of a session. */
export function sessionPage({ hash, status, transaction_details: details }: Session): string {
  const { destination_amount: amount, destination_currency: currency } = details;
  return checkoutPage(
    'Simulated Stripe',
    {
      amount: `${amount} ${currency} on ${details.destination_network}`,
      wallet: Object.values(details.wallet_addresses).join(''),
      status,
    },
    {
      [`pay?session_hash=${hash}`]: 'Pay',
      [`begin?session_hash=${hash}`]: 'Pay later',
      [`reject?session_hash=${hash}`]: 'Fail the identity check',
    },
  );
}
