import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import type { PlannedLeg, Verification, VerificationReason } from '@bascule/contracts';
import { serviceAuthorizationPayload } from '@bascule/solidity';
import type { ServiceAuthorization } from '@bascule/solidity';
import { Inject, Injectable } from '@nestjs/common';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { ownerText } from '../owners/owner-text.js';
import type { SignedPayment } from '../owners/owner-text.js';
import { withdrawalProof } from '../owners/withdrawal-proof.js';
import { signedPayment } from './verification-request.js';
import type { VerificationRequest } from './verification-request.js';

/** A withdrawal on the chain of a leg, which the owner signs and which is only simulated. */
export interface WithdrawalToSign {
  chain: Chain;
  leg: PlannedLeg;
  authorization: ServiceAuthorization;
}

/** Texts and typed data that an owner signs; the same request always gives the same. */
@Injectable()
export class VerificationPayloadsService {
  private readonly service: string;

  constructor(
    private readonly chains: Chains,
    @Inject(PAYMENT_CONFIG) config: PaymentConfig,
  ) {
    this.service = `Bascule (${new URL(config.fundingPageBase).host})`;
  }

  ownerText(request: VerificationRequest): string {
    return ownerText(this.signedPayment(request));
  }

  withdrawals(request: VerificationRequest): WithdrawalToSign[] {
    const payment = this.signedPayment(request);
    return request.confirmation.plan.legs.map((leg) => {
      const chain = this.chains.get(leg.chain);
      const { chainId, definition } = chain;
      const place = { chainId, network: definition.network };
      return {
        chain,
        leg,
        authorization: withdrawalProof(payment, request.declarationHash, place),
      };
    });
  }

  /** Verifications of the given reasons, in the order of the rounds. */
  of(request: VerificationRequest, reasons: readonly VerificationReason[]): Verification[] {
    const all: Record<VerificationReason, () => Verification[]> = {
      EVM_OWNER: () => [
        { reason: 'EVM_OWNER', signature_type: 'EIP191', payload: this.ownerText(request) },
      ],
      EVM_WITHDRAWAL: () =>
        this.withdrawals(request).map(({ authorization }) => ({
          reason: 'EVM_WITHDRAWAL',
          signature_type: 'EIP712',
          payload: serviceAuthorizationPayload(authorization),
        })),
    };
    return reasons.flatMap((reason) => all[reason]());
  }

  private signedPayment({ confirmation }: VerificationRequest): SignedPayment {
    return signedPayment(confirmation, this.service);
  }
}
