import type { Chains } from '@bascule/chain';
import type { ServiceContext } from '@bascule/process';
import type { AttemptLog, TransactionSender, TransactionWorker } from '@bascule/transactions';
import { describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { PaymentConfig } from '../config/payment.config.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import type { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import type { VenueRatingsService } from '../ratings/venue-ratings.service.js';
import { aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import type { BridgeTransfersClient } from './bridge-transfers.client.js';
import { LegOutcomesService } from './leg-outcomes.service.js';
import { formatLegReference } from './leg-reference.js';
import { LegSettlementsService } from './leg-settlements.service.js';
import type { WalletRefundsService } from './wallet-refunds.service.js';

const NOW = minutesAfter(3);
const RETRY_MS = 2_000;

/** Milliseconds until the next attempt after a transaction was dropped while another attempt executes the leg; null without one. */
async function delayAfterDrop(attempt: number, executing: number): Promise<number | null> {
  const built = aPayment().executing().build();
  const legs = built.legs.map((leg) => ({ ...leg, attempts: executing }));
  let payment: PaymentRecord = { ...built, legs };
  const reader: Partial<PaymentReaderRepository> = {
    find: () => Promise.resolve({ payment, now: NOW, timelineLength: 1, hasSums: false }),
  };
  const store: Partial<PaymentStoreRepository> = {
    changeNow: (_paymentId, mutate) => {
      payment = mutate(payment, NOW);
      return Promise.resolve(payment);
    },
  };
  const patience = { patienceMs: 60_000, retryMs: RETRY_MS, maxTransactions: 5 };
  const outcomes = new LegOutcomesService(
    {} as DataSource,
    {} as Chains,
    store as PaymentStoreRepository,
    {} as BridgeTransfersClient,
    {} as TransactionSender,
    { measure: () => undefined } as unknown as VenueRatingsService,
    { executionPatience: patience, maxCostFactor: 3n } as PaymentConfig,
  );
  const settlements = new LegSettlementsService(
    {} as TransactionWorker,
    {} as AttemptLog,
    {} as PaymentStoreRepository,
    {} as Chains,
    reader as PaymentReaderRepository,
    outcomes,
    {} as WalletRefundsService,
    {} as ServiceContext,
  );
  const reference = formatLegReference({ paymentId: payment.id, legIndex: 0, attempt });
  await settlements.settle(reference, { status: 'dropped', hash: null, receipt: null });
  const [leg] = payment.legs;
  if (leg?.status !== 'ATTEMPT_FAILED' || leg.dueAt === null) return null;
  return leg.dueAt.getTime() - NOW.getTime();
}

describe('LegSettlementsService.settle', () => {
  it('ignores an outcome of an earlier attempt', async () => {
    expect(await delayAfterDrop(1, 2)).toBeNull();
  });

  it('has a leg tried again, later after each dropped transaction', async () => {
    expect(await delayAfterDrop(1, 1)).toBe(RETRY_MS);
    expect(await delayAfterDrop(2, 2)).toBe(2 * RETRY_MS);
    expect(await delayAfterDrop(4, 4)).toBe(8 * RETRY_MS);
  });
});
