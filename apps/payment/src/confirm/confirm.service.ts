import { unavailable } from '@bascule/contracts';
import type { Payment, VerificationReason } from '@bascule/contracts';
import type { AnswerSlot } from '@bascule/idempotency';
import type { Caller } from '@bascule/identity';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { outputValueUsd } from '../life-cycle/output-value.js';
import { OwnerCheckService } from '../owners/owner-check.service.js';
import { OwnerVerificationService } from '../owners/owner-verification.service.js';
import { verificationReasons } from '../owners/verification-reasons.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { AcceptanceService } from './acceptance.service.js';
import type { ConfirmPaymentDto } from './confirm-payment.dto.js';
import type { Confirmation } from './payment-terms.js';
import { PaymentTermsService } from './payment-terms.service.js';
import { PlaceCheckService } from './place-check.service.js';
import { QuoteChoiceService } from './quote-choice.service.js';
import type { ChosenQuote } from './quote-choice.service.js';
import { ownerSigningChains } from './verification-request.js';
import { VerificationRoundsService } from './verification-rounds.service.js';

/** Confirms a quote: stores the payment, or asks the owner to sign first. */
@Injectable()
export class ConfirmService {
  constructor(
    private readonly quotes: QuoteChoiceService,
    private readonly places: PlaceCheckService,
    private readonly directory: AssetDirectoryRepository,
    private readonly ownerCheck: OwnerCheckService,
    private readonly owners: OwnerVerificationService,
    private readonly terms: PaymentTermsService,
    private readonly rounds: VerificationRoundsService,
    private readonly acceptance: AcceptanceService,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** @throws ServiceError */
  async confirm(request: ConfirmPaymentDto, caller: Caller, slot?: AnswerSlot): Promise<Payment> {
    const now = new Date();
    const chosen = await this.quotes.choose(request, caller, now);
    await this.acceptance.requireUnpaused(chosen, caller);
    await this.places.check(chosen, caller);
    this.terms.checkAddresses(request, chosen);
    const reasons = await this.reasons(request, chosen);
    const confirmation = await this.confirmation(request, chosen);
    const required = await this.withoutVerified(reasons, confirmation);
    await this.acceptance.refuseConfirmed(chosen.quote.payment_id);
    if (required.length === 0) {
      return this.acceptance.accept(await this.terms.of(confirmation, now), caller, [], slot);
    }
    const terms = await this.terms.of(confirmation, now, new Date(chosen.state.accept_by));
    await this.acceptance.requireAskable(terms, caller);
    const { declarationHash } = terms;
    return this.rounds.ask({ confirmation, required, passed: [], declarationHash }, terms);
  }

  private async reasons(
    { simulate_withdrawal }: ConfirmPaymentDto,
    { state, quote }: ChosenQuote,
  ): Promise<VerificationReason[]> {
    const { price_currency } = state;
    const usdPerUnit =
      price_currency === 'usd'
        ? '1'
        : await this.directory.freshUsdPrice(price_currency, this.config.priceMaxAgeMs);
    const value = usdPerUnit === null ? undefined : outputValueUsd(quote, state, usdPerUnit);
    if (value === undefined) throw unavailable('Could not price the payment. Try again.');
    return verificationReasons(value, this.config, simulate_withdrawal === true);
  }

  private async confirmation(
    request: ConfirmPaymentDto,
    { state, quote, plan }: ChosenQuote,
  ): Promise<Confirmation> {
    return {
      state,
      quote,
      plan,
      ownerAddress: request.owner_address as Address,
      destinationAddress: request.destination_address as Address,
      ownerChain: request.owner_chain,
      ownerChains: await this.ownerCheck.chainsOf(request, plan),
      isUnsafeOwnerAllowed: request.allow_unsafe_owner === true,
      expirationMinutes: request.payment_expiration_minutes ?? this.config.fundingMinutes,
      clientRedirectUrl: request.client_redirect_url,
      clientRedirectAfter: request.client_redirect_after,
    };
  }

  private async withoutVerified(
    reasons: VerificationReason[],
    confirmation: Confirmation,
  ): Promise<VerificationReason[]> {
    if (!reasons.includes('EVM_OWNER')) return reasons;
    const chains = ownerSigningChains(confirmation);
    const isVerified = await this.owners.isVerified(confirmation.ownerAddress, chains);
    return isVerified ? reasons.filter((reason) => reason !== 'EVM_OWNER') : reasons;
  }
}
