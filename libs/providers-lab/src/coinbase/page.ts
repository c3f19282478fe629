import { checkoutPage } from '../server/html.js';

/** Page of a session. */
export const sessionPage = (sessionToken: string, rows: Readonly<Record<string, string>>): string =>
  checkoutPage('Simulated Coinbase Onramp', rows, {
    [`/pay?sessionToken=${sessionToken}`]: 'Pay',
    [`/begin?sessionToken=${sessionToken}`]: 'Pay later',
    [`/decline?sessionToken=${sessionToken}`]: 'Pay with a declined card',
  });
