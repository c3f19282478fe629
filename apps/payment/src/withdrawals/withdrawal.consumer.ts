import { isHandledBy, TOPICS } from '@bascule/contracts';
import type {
  BroadcastWithdrawal,
  SanctionedParty,
  WithdrawalEvent,
  WithdrawalState,
} from '@bascule/contracts';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';
import { taint } from '../life-cycle/sanctions.js';
import { withdrawalReported } from '../life-cycle/withdrawals.js';
import { PastWithdrawalsRepository } from '../persistence/past-withdrawals.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { reportedWithdrawal } from './reported-withdrawal.js';

/** Records states and hits of the withdrawal service; versions and the life cycle make redelivery idempotent. */
@Controller()
export class WithdrawalConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly payments: PaymentStoreRepository,
    private readonly past: PastWithdrawalsRepository,
  ) {}

  @EventPattern<string>(TOPICS.withdrawal.name)
  async onWithdrawal(@Payload() event: WithdrawalEvent): Promise<void> {
    if (!isHandledBy('payment', event)) return;
    if (event.type === 'withdrawal.party_sanctioned') await this.taint(event.data);
    else if (event.type === 'withdrawal.broadcast') await this.note(event.data);
    else await this.record(event.data);
  }

  private async taint({ payment_id, party }: SanctionedParty): Promise<void> {
    await this.payments.changeNow(payment_id, (payment, now) => taint(payment, party, now));
  }

  private async note({ payment_id, ...sent }: BroadcastWithdrawal): Promise<void> {
    const { withdraw_id, chain, withdraw_account, transaction_hash, is_cancellation } = sent;
    const facts = { chain, withdraw_id, withdraw_account, transaction_hash };
    await this.payments.noteNow(payment_id, {
      type: 'withdrawal.broadcast',
      facts: { ...facts, ...(is_cancellation && { reason: 'cancellation' }) },
    });
  }

  private async record(state: WithdrawalState): Promise<void> {
    const reported = reportedWithdrawal(state);
    const { payment_id: paymentId, chain } = state;
    await this.dataSource.transaction(async (manager) => {
      const after = await this.payments.change(
        manager,
        paymentId,
        (payment, now) => withdrawalReported(payment, reported, now),
        () => this.past.recall(manager, paymentId, [{ chain, nonce: BigInt(state.nonce) }]),
      );
      if (after !== null) await this.past.putAway(manager, after);
    });
  }
}
