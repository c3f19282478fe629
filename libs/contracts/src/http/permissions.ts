export const PERMISSIONS = [
  'assets',
  'quotes',
  'payments:read',
  'payments:write',
  'balances',
  'webhooks',
] as const;
/** Permission of a key. */
export type Permission = (typeof PERMISSIONS)[number];
