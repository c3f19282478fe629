import type { ServiceContext } from '@bascule/process';
import type { createDataSource } from '@bascule/persistence';
import { Registry } from 'prom-client';
import { UnfundedQuotaRepository } from '../../apps/payment/dist/persistence/unfunded-quota.repository.js';

/** The quota of the payment service, too large to be used up. */
export const unlimitedQuota = (
  dataSource: ReturnType<typeof createDataSource>,
): UnfundedQuotaRepository =>
  new UnfundedQuotaRepository(dataSource, { maxUnfundedPayments: 100_000_000 }, {
    metrics: new Registry(),
  } as ServiceContext);
