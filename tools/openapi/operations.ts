import type { RouteKey } from '../../apps/gateway/src/routing/route-table.js';
import { CATALOGUE_OPERATIONS } from './operations-catalogue.js';
import { PAYMENT_OPERATIONS } from './operations-payments.js';
import { ORGANISATION_OPERATIONS } from './operations-organisations.js';
import { WITHDRAWAL_OPERATIONS } from './operations-withdrawals.js';
import type { Operation } from './operation.js';

/** Description of every route; a route without one does not compile. */
export const OPERATIONS: Readonly<Record<RouteKey, Operation>> = {
  ...CATALOGUE_OPERATIONS,
  ...PAYMENT_OPERATIONS,
  ...WITHDRAWAL_OPERATIONS,
  ...ORGANISATION_OPERATIONS,
};
