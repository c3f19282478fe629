import { priceEntity } from '@bascule/catalogue-projection';
import { idempotencyEntities, idempotencyMigrations } from '@bascule/idempotency';
import { messagingEntities, messagingMigrations } from '@bascule/messaging';
import type { EntityClass, MigrationClass } from '@bascule/persistence';
import { screeningEntities, screeningMigrations } from '@bascule/screening';
import { transactionEntities, transactionMigrations } from '@bascule/transactions';
import { BoundConfirmsByContent1799300000041 } from './migrations/bound-confirms-by-content.migration.js';
import { BoundCosts1799300000043 } from './migrations/bound-costs.migration.js';
import { CreateWithdrawals1763710000000 } from './migrations/create-withdrawals.migration.js';
import { KeepRepaidCosts1799500000011 } from './migrations/keep-repaid-costs.migration.js';
import { LimitReducedFees1798200000004 } from './migrations/limit-reduced-fees.migration.js';
import { LimitUnsignedWithdrawals1799100000001 } from './migrations/limit-unsigned-withdrawals.migration.js';
import { ProjectFrozenTokens1799300000033 } from './migrations/project-frozen-tokens.migration.js';
import { ReviseSenders1799300000053 } from './migrations/revise-senders.migration.js';
import { ProjectHeldTokens1799400000001 } from './migrations/project-held-tokens.migration.js';
import { ProjectRecordedBalances1799400000002 } from './migrations/project-recorded-balances.migration.js';
import { ProjectSenders1799200000001 } from './migrations/project-senders.migration.js';
import { RefundOrders1796500000003 } from './migrations/refund-orders.migration.js';
import { SeeProjections1795210000001 } from './migrations/see-projections.migration.js';
import { ShareUnsignedWithdrawals1799300000001 } from './migrations/share-unsigned-withdrawals.migration.js';
import { SeparateDueChecks1799500000001 } from './migrations/separate-due-checks.migration.js';
import { SubmitOnePerWallet1799300000042 } from './migrations/submit-one-per-wallet.migration.js';
import { TraceWithdrawals1796300000002 } from './migrations/trace-withdrawals.migration.js';
import { OrganisationEntity } from './organisation.entity.js';
import { ProjectedPayment } from './projected-payment.entity.js';
import { TokenEntity } from './token.entity.js';
import { Withdrawal } from './withdrawal.entity.js';

export const entities: readonly EntityClass[] = [
  Withdrawal,
  ProjectedPayment,
  TokenEntity,
  OrganisationEntity,
  priceEntity({ version: 'bigint', usd: 'text' }),
  ...messagingEntities,
  ...idempotencyEntities,
  ...transactionEntities,
  ...screeningEntities,
];
export const migrations: readonly MigrationClass[] = [
  ...messagingMigrations,
  ...idempotencyMigrations,
  ...transactionMigrations,
  CreateWithdrawals1763710000000,
  SeeProjections1795210000001,
  TraceWithdrawals1796300000002,
  RefundOrders1796500000003,
  LimitReducedFees1798200000004,
  ...screeningMigrations,
  LimitUnsignedWithdrawals1799100000001,
  ProjectSenders1799200000001,
  ShareUnsignedWithdrawals1799300000001,
  ProjectFrozenTokens1799300000033,
  ReviseSenders1799300000053,
  ProjectHeldTokens1799400000001,
  ProjectRecordedBalances1799400000002,
  BoundConfirmsByContent1799300000041,
  SubmitOnePerWallet1799300000042,
  BoundCosts1799300000043,
  SeparateDueChecks1799500000001,
  KeepRepaidCosts1799500000011,
];
