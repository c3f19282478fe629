import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { invalidRequest, unavailable } from '@bascule/contracts';
import type { PaymentPlan } from '@bascule/contracts';
import { settlesWithin, ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import type { ConfirmPaymentDto } from './confirm-payment.dto.js';
import { accountOf, ownerChains } from './owner-account.js';
import type { Finding, OwnerAccount } from './owner-account.js';

/** Time for the chains that a payment needs. */
const PATIENCE_MS = 5_000;
/** Time for the other chains after that. */
const GRACE_MS = 2_000;

/** Refuses contract owners that are missing on a chain of the payment. */
@Injectable()
export class OwnerCheckService {
  constructor(
    private readonly chains: Chains,
    private readonly context: ServiceContext,
  ) {}

  /**
   * Returns the chains of an owner that is a contract; null for a key.
   * @throws ServiceError
   */
  async chainsOf(
    { owner_address, owner_chain, allow_unsafe_owner }: ConfirmPaymentDto,
    { legs }: PaymentPlan,
  ): Promise<string[] | null> {
    const onLegs = new Set(legs.map(({ chain }) => chain));
    const asked = new Set([...onLegs, ...(owner_chain === undefined ? [] : [owner_chain])]);
    const findings = await this.findAccounts(owner_address as Address, asked);
    const owner = ownerChains(findings, { legs: onLegs, asked });
    if (owner.kind === 'everywhere') return null;
    const isAccepted = allow_unsafe_owner === true;
    if (owner.kind === 'unknown') {
      if (isAccepted) return owner.chains.length > 0 ? owner.chains : null;
      throw unavailable(
        `Could not read the owner's account type on ${owner.unreadable.join(', ')}. Try again.`,
      );
    }
    if (owner.missing.length === 0 || isAccepted) return owner.chains;
    throw invalidRequest({
      kind: 'owner',
      message: `The owner is a contract that does not exist on ${owner.missing.join(', ')}.`,
      mitigation: 'change',
    });
  }

  /** Reads the owner's account on all chains concurrently. */
  private async findAccounts(owner: Address, needed: ReadonlySet<string>): Promise<Finding[]> {
    const found = new Map<string, OwnerAccount>();
    const questions = this.chains.all().map((chain) => ({
      name: chain.name,
      answered: this.read(chain, owner).then((account) => found.set(chain.name, account)),
    }));
    const answersOf = (asked: typeof questions) =>
      Promise.allSettled(asked.map(({ answered }) => answered));
    const isNeeded = ({ name }: { name: string }) => needed.has(name);
    await settlesWithin(PATIENCE_MS, answersOf(questions.filter(isNeeded)));
    await settlesWithin(GRACE_MS, answersOf(questions));
    return questions.map(({ name }) => ({
      chain: name,
      account: found.get(name) ?? 'unreadable',
    }));
  }

  private async read({ client, name }: Chain, owner: Address): Promise<OwnerAccount> {
    try {
      return accountOf(await client.getCode({ address: owner }));
    } catch (error) {
      this.context.logger.warn({ err: error, chain: name }, 'owner code could not be read');
      return 'unreadable';
    }
  }
}
