import { CreateWithdrawals1763710000000 } from './create-withdrawals.migration.js';
import { TraceWithdrawals1796300000002 } from './trace-withdrawals.migration.js';

export const withdrawalMigrations = [CreateWithdrawals1763710000000, TraceWithdrawals1796300000002];
