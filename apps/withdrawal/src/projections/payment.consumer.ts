import { isHandledBy, TOPICS } from '@bascule/contracts';
import type { PaymentEvent, PaymentState } from '@bascule/contracts';
import { ProjectionPattern, upsertProjection } from '@bascule/messaging';
import { oneTimeWalletAddress, parseDeclaration } from '@bascule/solidity';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { PAYMENT_REVISION } from '../persistence/projected-payment.entity.js';
import { isEnded } from '../persistence/projections.repository.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { ReportedOutcomesService } from '../settlement/reported-outcomes.service.js';
import { walletOrders } from './wallet-orders.js';

@Controller()
export class PaymentConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly withdrawals: WithdrawalRepository,
    private readonly outcomes: ReportedOutcomesService,
  ) {}

  @ProjectionPattern(TOPICS.payment, { tables: ['payments'], revision: PAYMENT_REVISION })
  async on(@Payload() event: PaymentEvent): Promise<void> {
    if (isHandledBy('withdrawal', event)) await this.save(event.data);
  }

  /** Projects the payment, and settles or checks the withdrawals that its newest event reports. */
  private async save(state: PaymentState): Promise<void> {
    const ended = (state.intent_orders ?? []).filter(isEnded).map(({ order_id: id }) => id);
    if ((state.mined_withdrawals ?? []).length + ended.length === 0) {
      await this.project(this.dataSource.manager, state);
      return;
    }
    const { payment_id: id } = state.payment;
    const settled = await this.dataSource.transaction(async (manager) => {
      const reported = await this.outcomes.lock(manager, state);
      await this.project(manager, state);
      if (!(await isNewest(manager, id, state.version))) return [];
      await this.outcomes.settle(manager, reported);
      await this.withdrawals.checkRefunds(manager, id, ended);
      return reported;
    });
    this.outcomes.notify(settled);
  }

  private async project(manager: EntityManager, state: PaymentState): Promise<void> {
    const { payment, required_deposit: required, version } = state;
    // The wallet's address is derived from the declaration; the one in the event is not trusted.
    const wallet = oneTimeWalletAddress(parseDeclaration(payment.declaration));
    await upsertProjection(manager, {
      table: 'payments',
      key: { id: payment.payment_id },
      version,
      revision: PAYMENT_REVISION,
      columns: {
        org_id: payment.org_id,
        status: payment.status,
        owner_address: payment.owner_address.toLowerCase(),
        wallet_address: wallet.toLowerCase(),
        deposit_token: required.token.toLowerCase(),
        required_deposit: required.amount,
        declaration: payment.declaration,
        intent_orders: walletOrders(state.intent_orders ?? [], wallet),
        parent_payment_id: payment.parent_payment_id ?? null,
        senders: state.senders ?? null,
        frozen_tokens: state.frozen_tokens ?? [],
        held_tokens: state.held_tokens ?? [],
        recorded_balances: state.recorded_balances ?? [],
      },
    });
  }
}

async function isNewest(manager: EntityManager, id: string, version: number): Promise<boolean> {
  const rows: unknown[] = await manager.query(
    'SELECT FROM payments WHERE id = $1 AND version = $2',
    [id, version],
  );
  return rows.length > 0;
}
