import { Screening } from '@bascule/screening';
import { Inject, Injectable } from '@nestjs/common';
import { PAYMENT_POLICY } from '../config/payment.config.js';
import { exceedsTaintLimit, taint } from '../life-cycle/sanctions.js';
import type { LegFailure, PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentPolicy } from '../life-cycle/policy.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { PaymentValueRepository } from './payment-value.repository.js';
import { partiesOf, sanctionedRoles, taintCauseOf } from './screened-parties.js';
import { SenderScreeningService } from './sender-screening.service.js';

/** `tainted`: recorded, and no leg may start. `failure`: the leg may never run. */
export type LegVerdict = 'clear' | 'tainted' | { readonly failure: LegFailure };

const notAllowed: LegFailure = {
  reason: 'unroutable',
  message: 'An address that the payment pays or calls is not allowed.',
};

/** Screens a payment's parties and senders before each leg. */
@Injectable()
export class LegScreeningService {
  constructor(
    private readonly screening: Screening,
    private readonly senders: SenderScreeningService,
    private readonly values: PaymentValueRepository,
    private readonly store: PaymentStoreRepository,
    @Inject(PAYMENT_POLICY) private readonly policy: PaymentPolicy,
  ) {}

  /** @throws ScreeningUnavailableError while a source does not answer: the leg waits */
  async verdict(payment: PaymentRecord): Promise<LegVerdict> {
    if (!this.screening.isEnabled) return 'clear';
    const parties = partiesOf(payment);
    const reason = { purpose: 'leg', reference: payment.id } as const;
    const smallSum = () => this.values.smallSumOf(payment);
    const addresses = parties.map(({ address }) => address);
    const sanctioned = await this.screening.sanctioned({ reason, addresses, smallSum });
    const roles = sanctionedRoles(parties, sanctioned);
    const cause = taintCauseOf(roles);
    if (cause !== undefined) {
      await this.store.changeNow(payment.id, (current, now) => taint(current, cause, now));
      return 'tainted';
    }
    if (roles.length > 0) return { failure: notAllowed };
    const { isTainted, unscreened } = await this.senders.screenAll(payment);
    if (isTainted) return 'tainted';
    if (exceedsTaintLimit(payment, unscreened, this.policy)) {
      await this.screening.requireAllowance(reason, smallSum);
    }
    return 'clear';
  }
}
