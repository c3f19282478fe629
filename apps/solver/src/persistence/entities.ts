import type { EntityClass } from '@bascule/persistence';
import { transactionEntities } from '@bascule/transactions';
import { Allowance } from './allowance.entity.js';
import { OrderCursor } from './order-cursor.entity.js';
import { SolverOrder } from './solver-order.entity.js';

export const solverEntities: readonly EntityClass[] = [
  SolverOrder,
  OrderCursor,
  Allowance,
  ...transactionEntities,
];
