import { TOPICS } from '@bascule/contracts';
import type { WithdrawalEvent } from '@bascule/contracts';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { withdrawalReported } from '../life-cycle/withdrawals.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';

/** Records states of the withdrawal service; their versions make redelivery idempotent. */
@Controller()
export class WithdrawalConsumer {
  constructor(private readonly payments: PaymentStoreRepository) {}

  @EventPattern<string>(TOPICS.withdrawal.name)
  async onWithdrawal(@Payload() { data }: WithdrawalEvent): Promise<void> {
    await this.payments.changeNow(data.payment_id, (payment, now) =>
      withdrawalReported(payment, data, now),
    );
  }
}
