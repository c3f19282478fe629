import escapeHtml from 'escape-html';
import type { OrderStatus } from '../wire/order-status.js';
import { isFinal, isPayable } from '../wire/order-status.js';

export interface CheckoutPage {
  provider: string;
  status: OrderStatus;
  fiat: string;
  fiatAmount: string;
  feeTotal: string;
  paymentMethod: string;
  cryptoAmount: string;
  symbol: string;
  network: string;
  walletAddress: string;
  transactionHash: string | null;
  failureReason: string | null;
  /** Set once the customer has paid and the money has not arrived. */
  paymentStartedAt: Date | null;
  redirectUrl: string | null;
  /** Path of the page. */
  path: string;
}

const MESSAGES: Readonly<Record<OrderStatus, string>> = {
  open: 'Waiting for your payment.',
  awaiting_payment: 'Waiting for your payment.',
  payment_received: 'Paid. Your tokens will be sent in a moment.',
  sending: 'Paid. Your tokens are on their way.',
  completed: 'Paid and delivered.',
  declined: 'The payment was declined.',
  expired: 'This checkout has expired.',
  failed: 'The order failed.',
  refunded: 'Your money was returned.',
};

const ON_ITS_WAY = 'Your money is on its way.';

const row = (name: string, value: string): string =>
  `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`;

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dd{margin:0;overflow-wrap:anywhere}
form{display:inline}button{font:inherit;padding:.5rem 1.5rem;margin-right:.5rem;cursor:pointer}
.note{color:#666;font-size:.85rem}`;

export function renderCheckoutPage(page: CheckoutPage): string {
  const button = (action: string, label: string) =>
    `<form method="post" action="${escapeHtml(page.path)}/${action}"><button id="${action}">${label}</button></form>`;
  const canPay = isPayable(page.status) && page.paymentStartedAt === null;
  const refresh = isFinal(page.status) || canPay ? '' : REFRESH;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${refresh}
<title>${escapeHtml(page.provider)} checkout</title><style>${STYLE}</style></head>
<body><h1>${escapeHtml(page.provider)}</h1>
<p id="status" data-status="${page.status}">${isPayable(page.status) && !canPay ? ON_ITS_WAY : MESSAGES[page.status]}</p>
<dl>${[
    row('You pay', `${page.fiatAmount} ${page.fiat} (${page.paymentMethod.replaceAll('_', ' ')})`),
    row('Fees included', `${page.feeTotal} ${page.fiat}`),
    row('You get', `${page.cryptoAmount} ${page.symbol} on ${page.network}`),
    row('Sent to', page.walletAddress),
    page.transactionHash === null ? '' : row('Transaction', page.transactionHash),
    page.failureReason === null ? '' : row('Reason', page.failureReason),
  ].join('')}</dl>
${canPay ? button('pay', 'Pay') + button('decline', 'Decline') : ''}
${page.redirectUrl === null ? '' : `<p><a id="return" href="${escapeHtml(page.redirectUrl)}">Return</a></p>`}
<p class="note">A sandbox: no real money is taken.</p></body></html>`;
}

const REFRESH = '<meta http-equiv="refresh" content="2">';
