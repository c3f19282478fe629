import { isHandledBy, TOPICS } from '@bascule/contracts';
import type { PaymentEvent } from '@bascule/contracts';
import { ProjectionPattern, upsertProjection } from '@bascule/messaging';
import { oneTimeWalletAddress, parseDeclaration } from '@bascule/solidity';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';
import { PAYMENT_REVISION } from './projected-payment.entity.js';

/** Projects the payments that requotes and retries refer to. */
@Controller()
export class PaymentConsumer {
  constructor(private readonly dataSource: DataSource) {}

  @ProjectionPattern(TOPICS.payment, { tables: ['payments'], revision: PAYMENT_REVISION })
  async on(@Payload() event: PaymentEvent): Promise<void> {
    if (isHandledBy('quote', event)) await this.save(event.data);
  }

  private async save(state: PaymentEvent['data']): Promise<void> {
    const { payment, required_deposit, version } = state;
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
        wallet_address: wallet.toLowerCase(),
        deposit_token: required_deposit.token.toLowerCase(),
        output_asset: payment.quoted.output_amount.asset.toLowerCase(),
        senders: state.senders ?? null,
      },
    });
  }
}
