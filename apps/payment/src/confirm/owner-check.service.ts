import { invalidRequest, unavailable } from '@bascule/contracts';
import type { PaymentPlan } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import type { ConfirmPaymentDto } from './confirm-payment.dto.js';
import { OwnerAccounts } from './owner-accounts.client.js';
import { ownerChains } from './owner-account.js';

/** Refuses owners that could not sign where the money goes. */
@Injectable()
export class OwnerCheckService {
  constructor(private readonly accounts: OwnerAccounts) {}

  /**
   * The chains on which an owner that is a contract exists; null for one that signs everywhere.
   * @throws ServiceError
   */
  async chainsOf(
    { owner_address, owner_chain, allow_unsafe_owner }: ConfirmPaymentDto,
    { legs }: PaymentPlan,
  ): Promise<string[] | null> {
    const onLegs = new Set(legs.map(({ chain }) => chain));
    const asked = new Set([...onLegs, ...(owner_chain === undefined ? [] : [owner_chain])]);
    const findings = await this.accounts.find(owner_address as Address, asked);
    const owner = ownerChains(findings, { legs: onLegs, asked });
    if (owner.kind === 'everywhere') return null;
    const isAccepted = allow_unsafe_owner === true;
    if (owner.kind === 'unknown') {
      if (isAccepted) return owner.chains.length > 0 ? owner.chains : null;
      throw unavailable(`What the owner is on ${owner.unreadable.join(', ')} is not known now.`);
    }
    if (owner.missing.length === 0 || isAccepted) return owner.chains;
    throw invalidRequest({
      kind: 'owner',
      message: `The owner is a contract that does not exist on ${owner.missing.join(', ')}.`,
      mitigation: 'change',
    });
  }
}
