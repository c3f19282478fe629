import { addDecimals, formatDecimal, mulDecimals, ZERO } from '@bascule/amounts';
import { PriceRepository } from '@bascule/catalogue-projection';
import { invalidRequest, TOPICS, unavailable } from '@bascule/contracts';
import type { SanctionedParty, ServiceError } from '@bascule/contracts';
import { Outbox } from '@bascule/messaging';
import { Screening, ScreeningUnavailableError } from '@bascule/screening';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Address } from 'viem';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { FROZEN_REASON, paymentFrozen } from '../payments/payment-access.service.js';

/** Parts of a withdrawal that are screened or valued. */
export type ScreenedWithdrawal = Pick<
  WithdrawalRecord,
  | 'id'
  | 'paymentId'
  | 'orgId'
  | 'ownerAddress'
  | 'declaration'
  | 'recipientAddress'
  | 'tokenAmounts'
>;

/** Sanctioned address of a withdrawal: why it fails, and the answer to a request. */
export interface ScreeningHit {
  reason: string;
  answer: ServiceError;
}

/**
 * Screens owner and destination of the payment, and the recipient, before each submission of a withdrawal. Publishes a
 * sanctioned owner or destination, which taints the payment.
 */
@Injectable()
export class WithdrawalScreeningService {
  constructor(
    private readonly screening: Screening,
    private readonly prices: PriceRepository,
    private readonly settings: WithdrawalSettings,
    private readonly outbox: Outbox,
  ) {}

  /**
   * @param allowance `check` while nothing moves
   * @throws ServiceError: 403 for a sanctioned owner or destination, 400 for a recipient, 503 while a source does not answer
   */
  async requireClear(withdrawal: ScreenedWithdrawal, allowance: 'check' | 'spend'): Promise<void> {
    const hit = await this.hitOf(withdrawal, allowance).catch((error: unknown) => {
      if (!(error instanceof ScreeningUnavailableError)) throw error;
      throw unavailable('Could not check the addresses of the withdrawal. Try again.');
    });
    if (hit !== null) throw hit.answer;
  }

  /**
   * Null when no address is sanctioned.
   * @throws ScreeningUnavailableError while a source does not answer
   */
  async hitOf(
    withdrawal: ScreenedWithdrawal,
    allowance: 'check' | 'spend',
  ): Promise<ScreeningHit | null> {
    if (!this.screening.isEnabled) return null;
    const { id, ownerAddress, declaration, recipientAddress } = withdrawal;
    const sanctioned = await this.screening.sanctioned({
      reason: { purpose: 'withdrawal', reference: id },
      addresses: [ownerAddress, declaration.destination, recipientAddress],
      smallSum: () => this.smallSumOf(withdrawal),
      allowance,
      onHit: async (manager, hits) => {
        const party = sanctionedParty(withdrawal, hits);
        if (party !== null) await this.publish(manager, withdrawal, party);
      },
    });
    if (sanctionedParty(withdrawal, sanctioned) !== null) {
      return { reason: FROZEN_REASON, answer: paymentFrozen() };
    }
    return sanctioned.has(recipientAddress.toLowerCase()) ? recipientHit() : null;
  }

  /** A repetition changes nothing: the payment is tainted once. */
  private publish(
    manager: EntityManager,
    { paymentId, orgId }: ScreenedWithdrawal,
    party: Party,
  ): Promise<void> {
    const data: SanctionedParty = { payment_id: paymentId, org_id: orgId, party };
    const type = 'withdrawal.party_sanctioned';
    return this.outbox.append(manager, { topic: TOPICS.withdrawal, type, key: paymentId, data });
  }

  /** Null without a fresh price of every token. */
  private async smallSumOf({ orgId, ownerAddress, tokenAmounts }: ScreenedWithdrawal) {
    const tokens = tokenAmounts.map(({ token }) => token.toLowerCase());
    const prices = await this.prices.fresh(tokens, this.settings.priceMaxAgeMs);
    let sum = ZERO;
    for (const { token, amount } of tokenAmounts) {
      const price = prices.get(token.toLowerCase());
      if (price === undefined) return null;
      sum = addDecimals(sum, mulDecimals(amount, price));
    }
    return { orgId, owner: ownerAddress.toLowerCase() as Address, usd: formatDecimal(sum) };
  }
}

type Party = SanctionedParty['party'];

/** The sanctioned one of the payment's parties; the owner where both are. */
function sanctionedParty(
  { ownerAddress, declaration }: ScreenedWithdrawal,
  sanctioned: ReadonlySet<string>,
): Party | null {
  if (sanctioned.has(ownerAddress.toLowerCase())) return 'owner';
  return sanctioned.has(declaration.destination.toLowerCase()) ? 'destination' : null;
}

const recipientHit = (): ScreeningHit => ({
  reason: 'the recipient is not allowed.',
  answer: invalidRequest({ kind: 'destination', message: 'The recipient is not allowed.' }),
});
