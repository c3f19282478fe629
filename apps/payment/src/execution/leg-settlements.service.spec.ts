import type { Chains } from '@bascule/chain';
import type { ServiceContext } from '@bascule/process';
import type { AttemptLog, TransactionWorker } from '@bascule/transactions';
import { describe, expect, it } from '@jest/globals';
import type { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import type { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import type { LegOutcomesService } from './leg-outcomes.service.js';
import { formatLegReference } from './leg-reference.js';
import { LegSettlementsService } from './leg-settlements.service.js';
import type { WalletRefundsService } from './wallet-refunds.service.js';

/** Reports a dropped transaction of one attempt while the leg executes its second attempt. */
async function failuresAfterDrop(attempt: number): Promise<number[]> {
  const executing = aPayment().executing().build();
  const payment = { ...executing, legs: executing.legs.map((leg) => ({ ...leg, attempts: 2 })) };
  const failures: number[] = [];
  const reader: Partial<PaymentReaderRepository> = {
    find: () =>
      Promise.resolve({ payment, now: minutesAfter(3), timelineLength: 1, hasSums: false }),
  };
  const outcomes: Partial<LegOutcomesService> = {
    interrupted: (_paymentId, leg) => {
      failures.push(leg.attempts);
      return Promise.resolve();
    },
  };
  const settlements = new LegSettlementsService(
    {} as TransactionWorker,
    {} as AttemptLog,
    {} as PaymentStoreRepository,
    {} as Chains,
    reader as PaymentReaderRepository,
    outcomes as LegOutcomesService,
    {} as WalletRefundsService,
    {} as ServiceContext,
  );
  const reference = formatLegReference({ paymentId: payment.id, legIndex: 0, attempt });
  await settlements.settle(reference, { status: 'dropped', hash: null, receipt: null });
  return failures;
}

describe('LegSettlementsService.settle', () => {
  it('ignores an outcome of an earlier attempt', async () => {
    expect(await failuresAfterDrop(1)).toEqual([]);
  });

  it('records the outcome of the attempt in flight', async () => {
    expect(await failuresAfterDrop(2)).toEqual([2]);
  });
});
