import type { MigrationClass } from '@bascule/persistence';
import { transactionMigrations } from '@bascule/transactions';
import { CreateSolver1796400000000 } from './create-solver.migration.js';

export const solverMigrations: readonly MigrationClass[] = [
  ...transactionMigrations,
  CreateSolver1796400000000,
];
