import { Callback } from './callback.entity.js';
import { CreateOrders1763700000000 } from './migrations/create-orders.migration.js';
import { DelayPayments1799000000047 } from './migrations/delay-payments.migration.js';
import { RequireContract1795268700000 } from './migrations/require-contract.migration.js';
import { Order } from './order.entity.js';
import { Transfer } from './transfer.entity.js';
import { Wallet } from './wallet.entity.js';

export const entities = [Order, Wallet, Transfer, Callback];
export const migrations = [
  CreateOrders1763700000000,
  RequireContract1795268700000,
  DelayPayments1799000000047,
];
