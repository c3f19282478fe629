import type { EntityClass, MigrationClass } from '@bascule/persistence';
import { transactionEntities, transactionMigrations } from '@bascule/transactions';
import { Allowance } from './allowance.entity.js';
import { CreateSolver1796400000000 } from './migrations/create-solver.migration.js';
import { RecordScanLag1799900000170 } from './migrations/record-scan-lag.migration.js';
import { RetryOrdersApart1799900000060 } from './migrations/retry-orders-apart.migration.js';
import { OrderCursor } from './order-cursor.entity.js';
import { SolverOrder } from './solver-order.entity.js';

export const entities: readonly EntityClass[] = [
  SolverOrder,
  OrderCursor,
  Allowance,
  ...transactionEntities,
];
export const migrations: readonly MigrationClass[] = [
  ...transactionMigrations,
  CreateSolver1796400000000,
  RetryOrdersApart1799900000060,
  RecordScanLag1799900000170,
];
