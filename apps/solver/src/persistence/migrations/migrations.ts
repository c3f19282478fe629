import { transactionMigrations } from '@bascule/transactions';
import { CreateSolver1796400000000 } from './create-solver.migration.js';

export const solverMigrations = [...transactionMigrations, CreateSolver1796400000000];
