import { parseTokenIdentifier } from '@bascule/contracts';
import { faultPoint, ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { legAt } from '../life-cycle/legs.js';
import type { Leg, LegTransfer, PaymentRecord } from '../life-cycle/payment-record.js';
import { transferSeen } from '../life-cycle/transfers.js';
import { holdings } from '../life-cycle/wallet-ledger.js';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { DustService } from '../costs/dust.service.js';
import { BridgeTransfersClient } from './bridge-transfers.client.js';
import { LegOutcomesService } from './leg-outcomes.service.js';
import { nextTransferPoll } from './leg-schedule.js';
import { WalletRefundsService } from './wallet-refunds.service.js';

/** UntrackedTransfersService reports such a transfer. */
const UNTRACKED_MS = 60_000;

/** Polls bridges for open transfers until they are delivered or refunded. */
@Injectable()
export class LegTransfersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: PaymentStoreRepository,
    private readonly transfers: BridgeTransfersClient,
    private readonly outcomes: LegOutcomesService,
    private readonly refunds: WalletRefundsService,
    private readonly dust: DustService,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** Throws on failures of nodes, which do not change the transfer. */
  async look(payment: PaymentRecord, legIndex: number, now: Date): Promise<void> {
    const leg = legAt(payment, legIndex);
    if (leg.transfer === null) return;
    if (!this.transfers.isTracked(leg.transfer.transfer)) {
      return this.putOff(payment, legIndex, UNTRACKED_MS);
    }
    const polled = (await this.ask(payment, leg, leg.transfer)) ?? payment;
    const after = await this.refunds.advance(polled, legIndex);
    const { bridgePollMs: pollMs, executionPatience } = this.config;
    const schedule = { pollMs, maxRefunds: executionPatience.maxTransactions };
    const ms = nextTransferPoll(after, legIndex, schedule, now);
    await this.putOff(payment, legIndex, ms);
  }

  private async putOff({ id }: PaymentRecord, legIndex: number, ms: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE legs SET due_at = now() + $3 * interval '1 millisecond'
       WHERE payment_id = $1 AND leg_index = $2 AND due_at IS NOT NULL`,
      [id, legIndex, ms],
    );
  }

  private async ask(
    payment: PaymentRecord,
    leg: Leg,
    { transfer, status }: LegTransfer,
  ): Promise<PaymentRecord | null> {
    const seen = await this.transfers.status(transfer);
    if (seen.kind === 'unknown') {
      this.context.logger.warn(
        { payment_id: payment.id, transfer: transfer.id },
        'transfer not found on chain',
      );
      await this.outcomes.foundExecuted(payment, leg);
      return null;
    }
    const mayBeWithdrawn = seen.kind === 'refunded' || seen.kind === 'filled';
    const held = mayBeWithdrawn ? holdings(payment) : [];
    const policyOn = await this.dust.policyOn(
      held.map(({ token }) => parseTokenIdentifier(token).chain),
    );
    const isFilled = seen.kind === 'filled' && status !== 'FILLED';
    const after = await this.dataSource.transaction(async (manager) => {
      const changed = await this.store.change(manager, payment.id, (current, now) =>
        transferSeen(current, leg.index, { id: transfer.id, asked: status, seen }, policyOn, now),
      );
      if (isFilled) faultPoint('payment.leg-filled');
      return changed;
    });
    if (isFilled) faultPoint('payment.leg-filled');
    if (after?.version !== payment.version) {
      const about = { payment_id: payment.id, transfer: transfer.id, status: seen.kind };
      if (seen.kind === 'lost') {
        this.context.logger.error(about, 'bridge released money without delivery');
      } else {
        this.context.logger.info(about, 'transfer polled');
      }
    }
    return after;
  }
}
