export const PERMISSIONS = [
  'assets',
  'quotes',
  'payments:read',
  'payments:write',
  'balances',
  'webhooks',
] as const;
export type Permission = (typeof PERMISSIONS)[number];
