import { CreateWithdrawals1763710000000 } from './create-withdrawals.migration.js';
import { RefundOrders1796500000003 } from './refund-orders.migration.js';
import { SeeProjections1795210000001 } from './see-projections.migration.js';
import { TraceWithdrawals1796300000002 } from './trace-withdrawals.migration.js';

export const withdrawalMigrations = [
  CreateWithdrawals1763710000000,
  SeeProjections1795210000001,
  TraceWithdrawals1796300000002,
  RefundOrders1796500000003,
];
