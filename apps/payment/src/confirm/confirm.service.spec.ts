import { conflict } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { describe, expect, it } from '@jest/globals';
import type { PaymentConfig } from '../config/payment.config.js';
import type { OwnerCheckService } from '../owners/owner-check.service.js';
import type { OwnerVerificationService } from '../owners/owner-verification.service.js';
import type { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { DESTINATION, OWNER } from '../testing/a-payment.fixture.js';
import { aPlan, aQuote, aQuoteState } from '../testing/a-quote.fixture.js';
import type { AcceptanceService } from './acceptance.service.js';
import type { ConfirmPaymentDto } from './confirm-payment.dto.js';
import { ConfirmService } from './confirm.service.js';
import type { PaymentTermsService } from './payment-terms.service.js';
import type { PlaceCheckService } from './place-check.service.js';
import type { QuoteChoiceService } from './quote-choice.service.js';
import type { VerificationRoundsService } from './verification-rounds.service.js';

describe('ConfirmService.confirm', () => {
  it('declares and simulates nothing for a payment that is confirmed already', async () => {
    const quote = aQuote();
    const { quotes: _, ...state } = aQuoteState();
    const quotes: Partial<QuoteChoiceService> = {
      choose: () => Promise.resolve({ state, quote, plan: aPlan() }),
    };
    const places: Partial<PlaceCheckService> = { check: () => Promise.resolve() };
    const ownerCheck: Partial<OwnerCheckService> = { chainsOf: () => Promise.resolve(null) };
    const terms: Partial<PaymentTermsService> = { checkAddresses: () => undefined };
    const asked: string[] = [];
    const acceptance: Partial<AcceptanceService> = {
      requireUnpaused: () => Promise.resolve(),
      refuseConfirmed: (paymentId) => {
        asked.push(paymentId);
        return Promise.reject(conflict('The payment has already been confirmed.'));
      },
    };
    const config: Partial<PaymentConfig> = {
      ownerVerificationUsd: '300',
      withdrawalSimulationUsd: '1000000',
    };
    // Any other call would fail with a TypeError.
    const service = new ConfirmService(
      quotes as QuoteChoiceService,
      places as PlaceCheckService,
      {} as AssetDirectoryRepository,
      ownerCheck as OwnerCheckService,
      {} as OwnerVerificationService,
      terms as PaymentTermsService,
      {} as VerificationRoundsService,
      acceptance as AcceptanceService,
      config as PaymentConfig,
    );
    const request: ConfirmPaymentDto = {
      payment_id: quote.payment_id,
      state_token: 'sealed',
      owner_address: OWNER,
      destination_address: DESTINATION,
    };
    await expect(service.confirm(request, {} as Caller)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(asked).toEqual([quote.payment_id]);
  });
});
