import { isHandledBy, TOPICS } from '@bascule/contracts';
import type { WithdrawalEvent, WithdrawalState } from '@bascule/contracts';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { withdrawalReported } from '../life-cycle/withdrawals.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { reportedWithdrawal } from './reported-withdrawal.js';

/** Records states of the withdrawal service; their versions make redelivery idempotent. */
@Controller()
export class WithdrawalConsumer {
  constructor(private readonly payments: PaymentStoreRepository) {}

  @EventPattern<string>(TOPICS.withdrawal.name)
  async onWithdrawal(@Payload() event: WithdrawalEvent): Promise<void> {
    if (isHandledBy('payment', event)) await this.record(event.data);
  }

  private async record(state: WithdrawalState): Promise<void> {
    const reported = reportedWithdrawal(state);
    await this.payments.changeNow(state.payment_id, (payment, now) =>
      withdrawalReported(payment, reported, now),
    );
  }
}
