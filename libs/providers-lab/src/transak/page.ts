import { checkoutPage } from '../server/html.js';

/** Page of a session. */
export const sessionPage = (sessionId: string, rows: Readonly<Record<string, string>>): string =>
  checkoutPage('Simulated Transak', rows, {
    [`/pay?sessionId=${sessionId}`]: 'Pay',
    [`/begin?sessionId=${sessionId}`]: 'Pay later',
    [`/decline?sessionId=${sessionId}`]: 'Pay with a declined card',
  });
