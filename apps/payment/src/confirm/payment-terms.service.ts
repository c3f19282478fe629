import { invalidField, invalidRequest } from '@bascule/contracts';
import type { ValidationError } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { isAddressEqual } from 'viem';
import type { Address } from 'viem';
import type { PaymentTerms } from '../life-cycle/payment-record.js';
import { destinationProblem, planProblem } from './address-problems.js';
import type { ConfirmPaymentDto } from './confirm-payment.dto.js';
import { CustomActionError } from './custom-calls.js';
import { DeclarationContextsService } from './declaration-contexts.service.js';
import { paymentTerms } from './payment-terms.js';
import type { Confirmation, DeclarationContext } from './payment-terms.js';
import type { ChosenQuote } from './quote-choice.service.js';

/** Declares the payment of a confirmation. */
@Injectable()
export class PaymentTermsService {
  constructor(private readonly deployments: DeclarationContextsService) {}

  /** @throws ServiceError for an owner or destination that the quote's plan rules out */
  checkAddresses(
    { owner_address, destination_address }: ConfirmPaymentDto,
    { plan, state }: ChosenQuote,
  ): void {
    const problems = {
      owner_address: planProblem(owner_address, plan),
      destination_address: destinationProblem(destination_address, plan, state.quote_request),
    };
    const errors = Object.entries(problems).flatMap(([field, message]): ValidationError[] =>
      message === undefined ? [] : [{ code: 'custom', path: [field], message }],
    );
    if (errors.length > 0) throw invalidRequest(...errors);
  }

  /**
   * @param confirmedBy latest time of the confirm, for a declaration that is signed before it
   * @throws ServiceError
   */
  async of(confirmation: Confirmation, now: Date, confirmedBy?: Date): Promise<PaymentTerms> {
    const context = await this.deployments.of(confirmation.plan);
    const terms = declare(confirmation, context, now, confirmedBy);
    refuseOwnWallet(terms);
    return terms;
  }
}

function declare(
  confirmation: Confirmation,
  context: DeclarationContext,
  now: Date,
  confirmedBy?: Date,
): PaymentTerms {
  try {
    return paymentTerms(confirmation, context, now, confirmedBy);
  } catch (error) {
    if (!(error instanceof CustomActionError)) throw error;
    throw invalidField(['state_token'], error.message);
  }
}

function refuseOwnWallet({ walletAddress, ownerAddress, destinationAddress }: PaymentTerms): void {
  const isWallet = (address: string): boolean =>
    isAddressEqual(address as Address, walletAddress as Address);
  if (isWallet(destinationAddress)) {
    throw invalidField(['destination_address'], 'The address is the wallet of this payment.');
  }
  if (isWallet(ownerAddress)) {
    throw invalidField(['owner_address'], 'The address is the wallet of this payment.');
  }
}
