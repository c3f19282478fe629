import { invalidField } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import type { ServiceContext } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import type { PaymentAcceptanceRepository } from '../persistence/payment-acceptance.repository.js';
import type { PaymentMetricsService } from '../persistence/payment-metrics.service.js';
import type { UnfundedQuotaRepository } from '../persistence/unfunded-quota.repository.js';
import type { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import type { PaymentPresenterService } from '../reading/payment-presenter.service.js';
import type { ConfirmScreeningService } from '../screening/confirm-screening.service.js';
import { aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import type { PausesService } from '../pauses/pauses.service.js';
import { AcceptanceService } from './acceptance.service.js';
import type { PayoutCheckService } from './payout-check.service.js';

const payment = aPayment().build();
const caller: Caller = { orgId: payment.orgId, keyId: '', kind: 'secret', permissions: [] };
const free: Partial<UnfundedQuotaRepository> = { check: () => Promise.resolve() };

describe('AcceptanceService.accept', () => {
  const clear: Partial<ConfirmScreeningService> = { requireClear: () => Promise.resolve() };
  const refusing: Partial<PayoutCheckService> = {
    check: () => Promise.reject(invalidField([], 'The last leg would revert.')),
  };

  const asRead = { now: minutesAfter(3), timelineLength: 1, hasSums: false };

  it.each([
    ['conflict', 'was confirmed during a simulation that failed', payment],
    ['invalid_request', 'would revert', null],
  ])('answers %s for a payment that %s', async (code, _, stored) => {
    const reader: Partial<PaymentReaderRepository> = {
      find: () => Promise.resolve(stored && { ...asRead, payment: stored }),
    };
    const service = new AcceptanceService(
      free as UnfundedQuotaRepository,
      clear as ConfirmScreeningService,
      {} as PausesService,
      refusing as PayoutCheckService,
      {} as PaymentAcceptanceRepository,
      reader as PaymentReaderRepository,
      {} as PaymentPresenterService,
      {} as PaymentMetricsService,
      {} as ServiceContext,
    );
    await expect(service.accept(payment, caller, [])).rejects.toMatchObject({ code });
  });
});
