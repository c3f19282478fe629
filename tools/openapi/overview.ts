/** Version of the API; a breaking change needs a new first number. */
export const VERSION = '2.0.0';

export const GUIDE = `
A client asks for quotes, confirms one, and tells its user where to send the money. It follows the payment by
\`GET /payments\` or by a webhook. Money of a payment that does not complete can be used for a retry or withdrawn, both
with a signature of the owner.

- Bodies are JSON. Amounts are decimal strings in whole units; integers too large for a number are \`{"#": "123"}\`.
- Times are ISO 8601 in UTC. Arrays of a query are \`name[]=a&name[]=b\`; booleans are \`true\`, \`false\`, \`1\` or \`0\`.
- Requests may use any letter case for fiat codes, provider names and token addresses; answers use lower case.
- An array has at most 1,000 elements unless its description says otherwise.
- An optional field of a body may be null, which is as if it was absent, unless its description says more.
- Unknown fields and parameters are ignored. \`HEAD\` works where \`GET\` does; another method is 405 with \`Allow\`.
- Requests are limited for each client address, key and organisation. Each costs \`x-rate-limit-weight\` units, and
  one more for each 4 KiB of its body and each KiB of its query. What is left is in \`RateLimit\`, and a refusal is 429
  with \`Retry-After\`.
- Publishable keys share nine tenths of their organisation's limit; the rest is reserved for secret keys. One client has
  a tenth of its key's and of its organisation's limit, unless the deployment or an operator sets another share.
- An error has the body \`ErrorBody\`: issues, or validation errors, never both.
`.trim();

export const TAGS = [
  { name: 'Payments', description: 'Quotes, payments and their state.' },
  { name: 'Recovery', description: 'Balances, parked funds and withdrawals.' },
  { name: 'Catalogue', description: 'Assets, chains, prices, places and payment methods.' },
  {
    name: 'Webhooks',
    description: 'Webhooks of the organisation and their deliveries; secret keys only.',
  },
  { name: 'Keys', description: 'The key of the request.' },
  { name: 'Links', description: 'Pages for customers, opened by a link of one payment.' },
  { name: 'Providers', description: 'Calls by onramp providers.' },
];

export const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'API key. A publishable key (`pk_…`) may be in a page or app, which everybody can read; a secret key (`sk_…`) ' +
      'belongs on a server. Each operation names the permission that the key needs (`x-permission`).',
  },
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'Secret key (`sk_…`); a publishable key is refused with 403.',
  },
};
