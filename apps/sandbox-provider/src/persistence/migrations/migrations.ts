import { CreateOrders1763700000000 } from './create-orders.migration.js';

export const sandboxProviderMigrations = [CreateOrders1763700000000];
