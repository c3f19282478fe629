import { CreateOrders1763700000000 } from './create-orders.migration.js';
import { RequireContract1795268700000 } from './require-contract.migration.js';

export const sandboxProviderMigrations = [CreateOrders1763700000000, RequireContract1795268700000];
