import { ServiceError } from '@bascule/contracts';
import type { ServiceContext } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import type { PaymentAcceptanceRepository } from '../persistence/payment-acceptance.repository.js';
import type { PaymentMetricsService } from '../persistence/payment-metrics.service.js';
import type { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import type { PaymentPresenterService } from '../reading/payment-presenter.service.js';
import { aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import { AcceptanceService } from './acceptance.service.js';
import type { PayoutCheckService } from './payout-check.service.js';

describe('AcceptanceService.accept', () => {
  it('simulates nothing for a payment that is confirmed already', async () => {
    const payment = aPayment().build();
    let simulations = 0;
    const payouts: Partial<PayoutCheckService> = {
      check: () => {
        simulations += 1;
        return Promise.resolve();
      },
    };
    const reader: Partial<PaymentReaderRepository> = {
      find: () => Promise.resolve({ payment, now: minutesAfter(3) }),
    };
    const service = new AcceptanceService(
      payouts as PayoutCheckService,
      {} as PaymentAcceptanceRepository,
      reader as PaymentReaderRepository,
      {} as PaymentPresenterService,
      {} as PaymentMetricsService,
      {} as ServiceContext,
    );
    await expect(service.accept(payment)).rejects.toThrow(ServiceError);
    expect(simulations).toBe(0);
  });
});
