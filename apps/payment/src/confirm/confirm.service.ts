import {
  conflict,
  forbidden,
  invalidField,
  invalidRequest,
  notFound,
  unavailable,
} from '@bascule/contracts';
import type { Payment, PaymentPlan, Quote, QuoteState, ServiceError } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { currentTraceparent, faultPoint, ServiceContext } from '@bascule/process';
import { SealedTokenError, SealedTokens } from '@bascule/sealed-tokens';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { isAddressEqual } from 'viem';
import type { Address } from 'viem';
import { newPayment } from '../life-cycle/payment-record.js';
import type { PaymentRecord, PaymentTerms } from '../life-cycle/payment-record.js';
import { PaymentMetricsService } from '../persistence/payment-metrics.service.js';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { PaymentAcceptanceRepository } from '../persistence/payment-acceptance.repository.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { AssetDirectoryRepository } from '../projections/asset-directory.repository.js';
import { PaymentPresenterService } from '../reading/payment-presenter.service.js';
import { destinationProblem, planProblem } from './address-problems.js';
import type { ConfirmPaymentDto } from './confirm-payment.dto.js';
import { CustomActionError } from './custom-calls.js';
import { DeclarationContextsService } from './declaration-contexts.service.js';
import { needsOwnerVerification, outputValueUsd } from './owner-account.js';
import { OwnerCheckService } from './owner-check.service.js';
import { paymentTerms } from './payment-terms.js';
import type { Confirmation, DeclarationContext } from './payment-terms.js';

/** Opens expired tokens too: none expires before it. */
const EPOCH = new Date(0);

const alreadyConfirmed = (): ServiceError => conflict('The payment has already been confirmed.');

interface ChosenQuote {
  state: QuoteState;
  quote: Quote;
  plan: PaymentPlan;
}

/** Confirms a quote: stores the payment by one statement, or nothing. */
@Injectable()
export class ConfirmService {
  constructor(
    private readonly tokens: SealedTokens,
    private readonly directory: AssetDirectoryRepository,
    private readonly acceptance: PaymentAcceptanceRepository,
    private readonly reader: PaymentReaderRepository,
    private readonly presenter: PaymentPresenterService,
    private readonly metrics: PaymentMetricsService,
    private readonly context: ServiceContext,
    private readonly owners: OwnerCheckService,
    private readonly deployments: DeclarationContextsService,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  async confirm(request: ConfirmPaymentDto, caller: Caller): Promise<Payment> {
    const now = new Date();
    const chosen = await this.chosenQuote(request, caller, now);
    await this.checkParent(chosen.state);
    await this.verifyOwner(request, chosen);
    const terms = await this.terms(request, chosen, now);
    const payment = newPayment(terms, uuidv7, currentTraceparent());
    if (!(await this.acceptance.accept(payment))) {
      throw alreadyConfirmed();
    }
    faultPoint('payment.confirmed');
    this.metrics.changed(null, payment);
    this.context.logger.info({ payment_id: payment.id }, 'payment confirmed');
    return this.present(payment, now);
  }

  private async chosenQuote(
    { payment_id, state_token }: ConfirmPaymentDto,
    caller: Caller,
    now: Date,
  ): Promise<ChosenQuote> {
    const { state, isExpired } = await this.open(state_token, now);
    if (state.org_id !== caller.orgId) {
      throw forbidden('The quote belongs to another organisation.');
    }
    const id = payment_id.toLowerCase();
    const chosen = state.quotes.find(({ quote }) => quote.payment_id === id);
    if (chosen === undefined) throw notFound('Payment not found in the state token.');
    if (isExpired || new Date(state.accept_by) <= now) throw await this.tooLate(id);
    return { state, ...chosen };
  }

  /** A payment confirmed in time stays confirmed. */
  private async tooLate(paymentId: string): Promise<ServiceError> {
    return (await this.reader.find(paymentId)) === null
      ? invalidField(['state_token'], 'The quote has expired. Request a new one.')
      : alreadyConfirmed();
  }

  /** Opens expired tokens too, for the owner's checks that come first. */
  private async open(token: string, now: Date): Promise<{ state: QuoteState; isExpired: boolean }> {
    try {
      const state = await this.tokens.open<QuoteState>('quote', token, now);
      return { state, isExpired: false };
    } catch (error) {
      if (!(error instanceof SealedTokenError)) throw error;
      if (error.code !== 'expired') {
        throw invalidField(['state_token'], 'The state token is not valid.');
      }
      return { state: await this.tokens.open<QuoteState>('quote', token, EPOCH), isExpired: true };
    }
  }

  private async checkParent({ quote_request, org_id }: QuoteState): Promise<void> {
    const { parent_payment_id } = quote_request;
    if (parent_payment_id === undefined) return;
    const parent = await this.reader.find(parent_payment_id.toLowerCase());
    if (parent === null) throw notFound('Parent payment not found.');
    if (parent.payment.orgId !== org_id) {
      throw forbidden('The parent payment belongs to another organisation.');
    }
  }

  private async verifyOwner(
    { simulate_withdrawal }: ConfirmPaymentDto,
    { state, quote }: ChosenQuote,
  ): Promise<void> {
    const usdPerUnit =
      state.price_currency === 'usd' ? '1' : await this.directory.usdPrice(state.price_currency);
    const value = usdPerUnit === null ? undefined : outputValueUsd(quote, state, usdPerUnit);
    if (value === undefined) throw unavailable('Could not price the payment. Try again.');
    const isLarge = needsOwnerVerification(value, this.config.ownerVerificationUsd);
    if (!isLarge && simulate_withdrawal !== true) return;
    throw invalidRequest({
      kind: 'owner',
      message: 'The owner address must be verified before a payment of this value.',
      mitigation: 'verify',
    });
  }

  private async terms(
    request: ConfirmPaymentDto,
    { state, quote, plan }: ChosenQuote,
    now: Date,
  ): Promise<PaymentTerms> {
    this.checkAddresses(request, state, plan);
    const deployment = await this.deployments.of(plan);
    const terms = this.declare(
      {
        state,
        quote,
        plan,
        ownerAddress: request.owner_address as Address,
        destinationAddress: request.destination_address as Address,
        ownerChain: request.owner_chain,
        ownerChains: await this.owners.chainsOf(request, plan),
        expirationMinutes: request.payment_expiration_minutes ?? this.config.fundingMinutes,
        clientRedirectUrl: request.client_redirect_url,
        clientRedirectAfter: request.client_redirect_after,
      },
      deployment,
      now,
    );
    this.refuseOwnWallet(terms);
    return terms;
  }

  private checkAddresses(
    { owner_address, destination_address }: ConfirmPaymentDto,
    { quote_request }: QuoteState,
    plan: PaymentPlan,
  ): void {
    const ofOwner = planProblem(owner_address, plan);
    if (ofOwner !== undefined) throw invalidField(['owner_address'], ofOwner);
    const problem = destinationProblem(destination_address, plan, quote_request);
    if (problem !== undefined) throw invalidField(['destination_address'], problem);
  }

  private declare(confirmation: Confirmation, context: DeclarationContext, now: Date) {
    try {
      return paymentTerms(confirmation, context, now);
    } catch (error) {
      if (!(error instanceof CustomActionError)) throw error;
      throw invalidField(['state_token'], error.message);
    }
  }

  private refuseOwnWallet({ walletAddress, ownerAddress, destinationAddress }: PaymentTerms): void {
    const isWallet = (address: string): boolean =>
      isAddressEqual(address as Address, walletAddress as Address);
    if (isWallet(destinationAddress)) {
      throw invalidField(['destination_address'], 'The address is the wallet of this payment.');
    }
    if (isWallet(ownerAddress)) {
      throw invalidField(['owner_address'], 'The address is the wallet of this payment.');
    }
  }

  private present(payment: PaymentRecord, now: Date): Promise<Payment> {
    return this.presenter.present(payment, now, { enableWithdrawPending: false });
  }
}
