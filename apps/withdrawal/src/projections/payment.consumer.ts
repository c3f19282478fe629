import { isHandledBy, TOPICS } from '@bascule/contracts';
import type { PaymentEvent } from '@bascule/contracts';
import { ProjectionPattern, upsertProjection } from '@bascule/messaging';
import { oneTimeWalletAddress, parseDeclaration } from '@bascule/solidity';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';
import { PAYMENT_REVISION } from '../persistence/projected-payment.entity.js';
import { walletOrders } from './wallet-orders.js';

@Controller()
export class PaymentConsumer {
  constructor(private readonly dataSource: DataSource) {}

  @ProjectionPattern(TOPICS.payment, { tables: ['payments'], revision: PAYMENT_REVISION })
  async on(@Payload() event: PaymentEvent): Promise<void> {
    if (isHandledBy('withdrawal', event)) await this.save(event.data);
  }

  private async save(state: PaymentEvent['data']): Promise<void> {
    const { payment, required_deposit: required, version } = state;
    // The wallet's address is derived from the declaration; the one in the event is not trusted.
    const wallet = oneTimeWalletAddress(parseDeclaration(payment.declaration));
    await upsertProjection(this.dataSource.manager, {
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
