import { createHash } from 'node:crypto';
import escapeHtml from 'escape-html';
import type { CustomerReturn } from './customer-return.js';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:3rem auto;padding:0 1rem}' +
  'a{overflow-wrap:anywhere}';

/** Refreshes a waiting page; seconds. */
const REFRESH_SECONDS = 3;

/** Page that a customer sees between the checkout and the organisation's own page. */
export function returnPage(shown: Exclude<CustomerReturn, { kind: 'redirect' }>): string {
  const [head, action] =
    shown.kind === 'wait'
      ? [
          `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
          '<p>This page updates itself.</p>',
        ]
      : ['', link(shown.url)];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}
<title>Your payment</title><style>${STYLE}</style></head>
<body><h1>Your payment</h1><p id="status">${escapeHtml(shown.message)}</p>${action}</body></html>`;
}

/** Names the target of a link. Schemes of apps have no hosts: `evil://bank.example` does not lead to a bank. */
function placeOf({ protocol, host }: URL): string {
  switch (protocol) {
    case 'https:':
      return host;
    case 'http:':
      return `http://${host}`;
    default:
      return `an app (${protocol})`;
  }
}

function link(url: string): string {
  const place = placeOf(new URL(url));
  return `<p>The next link leaves this page.</p><p><a id="return" rel="noreferrer" href="${escapeHtml(url)}">Continue to ${escapeHtml(place)}</a></p>`;
}

const styleHash = createHash('sha256').update(STYLE).digest('base64');

/** Headers of the page: it runs no script, is not framed, and tells no other site its address. */
export const RETURN_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;
