import { CreateWithdrawals1763710000000 } from './create-withdrawals.migration.js';

export const withdrawalMigrations = [CreateWithdrawals1763710000000];
