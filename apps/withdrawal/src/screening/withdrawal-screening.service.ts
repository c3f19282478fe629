import { addDecimals, formatDecimal, mulDecimals, ZERO } from '@bascule/amounts';
import { PriceRepository } from '@bascule/catalogue-projection';
import { invalidRequest, unavailable } from '@bascule/contracts';
import type { ServiceError } from '@bascule/contracts';
import { Screening, ScreeningUnavailableError } from '@bascule/screening';
import { Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { FROZEN_REASON, paymentFrozen } from '../payments/payment-access.service.js';

/** Parts of a withdrawal that are screened or valued. */
export type ScreenedWithdrawal = Pick<
  WithdrawalRecord,
  'id' | 'orgId' | 'ownerAddress' | 'declaration' | 'recipientAddress' | 'tokenAmounts'
>;

/** Sanctioned address of a withdrawal: why it fails, and the answer to a request. */
export interface ScreeningHit {
  reason: string;
  answer: ServiceError;
}

/** Screens owner and destination of the payment, and the recipient, before each submission of a withdrawal. */
@Injectable()
export class WithdrawalScreeningService {
  constructor(
    private readonly screening: Screening,
    private readonly prices: PriceRepository,
    private readonly settings: WithdrawalSettings,
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
    const parties = [ownerAddress, declaration.destination];
    const sanctioned = await this.screening.sanctioned({
      reason: { purpose: 'withdrawal', reference: id },
      addresses: [...parties, recipientAddress],
      smallSum: () => this.smallSumOf(withdrawal),
      allowance,
    });
    const isSanctioned = (address: string): boolean => sanctioned.has(address.toLowerCase());
    if (parties.some(isSanctioned)) {
      return { reason: FROZEN_REASON, answer: paymentFrozen() };
    }
    return isSanctioned(recipientAddress) ? recipientHit() : null;
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

const recipientHit = (): ScreeningHit => ({
  reason: 'the recipient is not allowed.',
  answer: invalidRequest({ kind: 'destination', message: 'The recipient is not allowed.' }),
});
