import { invalidField, invalidRequest, ServiceError } from '@bascule/contracts';
import type { Payment, VerificationReason } from '@bascule/contracts';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { AnswerSlot } from '@bascule/idempotency';
import type { Caller } from '@bascule/identity';
import { parseDeclaration } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import type { Address, Hex } from 'viem';
import type { PaymentTerms } from '../life-cycle/payment-record.js';
import { contractIssues } from '../owners/owner-account.js';
import { OwnerVerificationService } from '../owners/owner-verification.service.js';
import type { OwnerClaim, OwnerVerdict } from '../owners/owner-verification.service.js';
import { WithdrawalSimulationClient } from '../owners/withdrawal-simulation.client.js';
import type { SimulationOutcome } from '../owners/withdrawal-simulation.client.js';
import { AcceptanceService } from './acceptance.service.js';
import type { ContinueConfirmationDto } from './continue-confirmation.dto.js';
import { matchSignatures, signatureProblems } from './matched-signatures.js';
import { PaymentTermsService } from './payment-terms.service.js';
import { PlaceCheckService } from './place-check.service.js';
import { requireOwnQuote } from './quote-origin.js';
import { TokenReaderService } from './token-reader.service.js';
import { VerificationPayloadsService } from './verification-payloads.service.js';
import { linkedCustomer, ownerSigningChains } from './verification-request.js';
import type { VerificationRequest } from './verification-request.js';
import { VerificationRoundsService } from './verification-rounds.service.js';

/** Takes the owner's signatures, and confirms the payment once all have been given. */
@Injectable()
export class ContinuationService {
  constructor(
    private readonly tokens: TokenReaderService,
    private readonly places: PlaceCheckService,
    private readonly payloads: VerificationPayloadsService,
    private readonly owners: OwnerVerificationService,
    private readonly simulation: WithdrawalSimulationClient,
    private readonly terms: PaymentTermsService,
    private readonly rounds: VerificationRoundsService,
    private readonly acceptance: AcceptanceService,
  ) {}

  /** @throws ServiceError */
  async continue(
    { verification_token, signatures }: ContinueConfirmationDto,
    caller: Caller,
    slot?: AnswerSlot,
  ): Promise<Payment> {
    const now = new Date();
    const opened = await this.tokens.open<VerificationRequest>(
      'verification_token',
      verification_token,
      now,
    );
    const { content: request, isExpired, isRecent } = opened;
    const { confirmation, required } = request;
    requireOwnQuote(confirmation.state, caller, ['verification_token', 'verification']);
    const problems = signatureProblems(signatures, this.payloads.of(request, required));
    if (problems.length > 0) throw invalidRequest(...problems);
    const given = matchSignatures(signatures);

    const { payment_id } = confirmation.quote;
    if (!isRecent) await this.acceptance.refuseLate(payment_id, 'verification_token');
    // An owner counts as verified whatever becomes of the payment, so this comes first.
    const ownerSignature = given.get('EVM_OWNER')?.[0];
    const customer = isExpired ? null : linkedCustomer(confirmation, caller.kind === 'secret');
    const verdict = await this.verifyOwner(request, ownerSignature, customer);
    if (isExpired) await this.acceptance.refuseLate(payment_id, 'verification_token');
    await this.acceptance.refuseConfirmed(payment_id);
    await this.acceptance.requireUnpaused(confirmation, caller);
    await this.places.check(confirmation, caller);
    if (verdict !== undefined) refuseOwner(verdict);

    const terms = await this.declaredTerms(request, now);
    await this.simulate(request, terms, given.get('EVM_WITHDRAWAL') ?? []);
    const passed = await this.passed(request, [...given.keys()]);
    return passed.length === required.length
      ? this.acceptance.accept(terms, caller, passed, slot)
      : this.rounds.ask({ ...request, passed }, terms);
  }

  /** Returns undefined without a signature. */
  private async verifyOwner(
    request: VerificationRequest,
    signature: Hex | undefined,
    customer: OwnerClaim['customer'],
  ): Promise<OwnerVerdict | undefined> {
    if (signature === undefined) return undefined;
    const { confirmation } = request;
    return this.owners.verify({
      owner: confirmation.ownerAddress,
      chains: ownerSigningChains(confirmation),
      text: this.payloads.ownerText(request),
      signature,
      customer,
    });
  }

  /** The payment as it was declared when the owner was asked. */
  private async declaredTerms(
    { confirmation, declarationHash }: VerificationRequest,
    now: Date,
  ): Promise<PaymentTerms> {
    const acceptBy = new Date(confirmation.state.accept_by);
    const terms = await this.terms.of(confirmation, now, acceptBy);
    if (terms.declarationHash === declarationHash) return terms;
    throw invalidField(
      ['verification_token'],
      'The contracts of the service have changed since the quote. Request a new one.',
    );
  }

  private async simulate(
    request: VerificationRequest,
    terms: PaymentTerms,
    signatures: readonly Hex[],
  ): Promise<void> {
    const account = terms.walletAddress as Address;
    const declaration = parseDeclaration(terms.declaration);
    const outcomes = await Promise.all(
      this.payloads.withdrawals(request).flatMap(({ chain, leg, authorization }, index) => {
        const signature = signatures[index];
        if (signature === undefined) return [];
        const token = parseTokenIdentifier(leg.input_token).address;
        const deposit = { account, token, amount: BigInt(leg.input_amount) };
        return [
          this.simulation
            .simulate(chain, { declaration, authorization, signature, deposit })
            .then((outcome) => refusalOf(outcome, chain.definition.network)),
        ];
      }),
    );
    const refusal = outcomes.find((outcome) => outcome !== null);
    if (refusal) throw refusal;
  }

  /** Another payment may have verified the owner in the meantime. */
  private async passed(
    { confirmation, required, passed }: VerificationRequest,
    given: readonly VerificationReason[],
  ): Promise<VerificationReason[]> {
    const done = new Set([...passed, ...given]);
    if (required.includes('EVM_OWNER') && !done.has('EVM_OWNER')) {
      const chains = ownerSigningChains(confirmation);
      if (await this.owners.isVerified(confirmation.ownerAddress, chains)) done.add('EVM_OWNER');
    }
    return required.filter((reason) => done.has(reason));
  }
}

const wrongSignature = (reason: VerificationReason, network?: string): ServiceError =>
  new ServiceError('unauthenticated', [
    {
      kind: 'owner',
      message:
        `The ${reason} signature${network === undefined ? '' : ` for ${network}`} is not the ` +
        `owner's. Sign the payload again.`,
      mitigation: 'verify',
    },
  ]);

function refuseOwner(verdict: OwnerVerdict): void {
  if (verdict.kind === 'wrong') throw wrongSignature('EVM_OWNER');
  if (verdict.kind === 'missing') {
    throw invalidRequest(...contractIssues(verdict.chains, 'does not exist'));
  }
}

function refusalOf(outcome: SimulationOutcome, network: string): ServiceError | null {
  switch (outcome) {
    case 'accepted':
      return null;
    case 'signature':
      return wrongSignature('EVM_WITHDRAWAL', network);
    case 'expired':
      return invalidField(['verification_token'], 'The quote has expired. Request a new one.');
    case 'refused':
      return invalidRequest({
        kind: 'owner',
        message: `The owner could not withdraw on ${network}: the simulated withdrawal failed.`,
        mitigation: 'change',
      });
  }
}
