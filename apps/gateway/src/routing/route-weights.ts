import type { Route } from './route-table.js';

/** Cost of a request in units of the rate limits. A route that is not listed costs one. */
export const ROUTE_WEIGHTS: Readonly<Record<string, number>> = {
  // Asks providers, venues and bridges for every route.
  'POST /payments/quotes': 5,
  // Checks owners on each chain and simulates custom actions.
  'POST /payments/confirm': 5,
  // Reads every known token of a wallet on each chain.
  'POST /payments/balances': 5,
  // Reads up to 500 payments, and signs a link for each that is open.
  'GET /payments/history': 10,
  // Looks through the payments of an owner and its linked addresses.
  'POST /payments/issues': 10,
  // Simulate on chain, and a confirm sends a transaction.
  'POST /payments/withdraw': 5,
  'POST /payments/withdraw/confirm': 5,
  // Send requests to the organisation's server.
  'POST /orgs/webhooks/test': 5,
  'POST /orgs/webhooks/deliveries/:delivery_id/resend': 5,
  'POST /orgs/webhooks/deliveries/resend-failed': 10,
};

export const weightOf = ({ method, path }: Pick<Route, 'method' | 'path'>): number =>
  ROUTE_WEIGHTS[`${method} ${path}`] ?? 1;
