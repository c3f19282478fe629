import { invalidRequest, unavailable } from '@bascule/contracts';
import { Screening, ScreeningUnavailableError } from '@bascule/screening';
import { Injectable } from '@nestjs/common';
import type { PaymentTerms } from '../life-cycle/payment-record.js';
import { PaymentValueRepository } from './payment-value.repository.js';
import { issueOf, partiesOf, sanctionedRoles } from './screened-parties.js';

/** Screens the parties of a payment before it is accepted. */
@Injectable()
export class ConfirmScreeningService {
  constructor(
    private readonly screening: Screening,
    private readonly values: PaymentValueRepository,
  ) {}

  /**
   * Spends nothing of the allowance, which is the legs': anyone may confirm for any owner, and never fund it.
   * @throws ServiceError: 400 for a sanctioned party, 503 while a source does not answer
   */
  async requireClear(terms: PaymentTerms): Promise<void> {
    if (!this.screening.isEnabled) return;
    const parties = partiesOf(terms);
    const sanctioned = await this.screening
      .sanctioned({
        reason: { purpose: 'confirm', reference: terms.id },
        addresses: parties.map(({ address }) => address),
        smallSum: () => this.values.smallSumOf(terms),
        allowance: 'check',
      })
      .catch((error: unknown) => {
        if (!(error instanceof ScreeningUnavailableError)) throw error;
        throw unavailable('Could not check the addresses of the payment. Try again.');
      });
    const roles = sanctionedRoles(parties, sanctioned);
    if (roles.length > 0) throw invalidRequest(...roles.map(issueOf));
  }
}
