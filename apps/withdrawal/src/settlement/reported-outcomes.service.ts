import type { MinedWithdrawal, PaymentState } from '@bascule/contracts';
import { faultPoint } from '@bascule/process';
import { parseWithdrawalNonce } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { SettlementWatchService } from './settlement-watch.service.js';

/** Withdrawals that an event settles, locked until the transaction ends. */
export type ReportedOutcomes = readonly {
  record: WithdrawalRecord;
  transactionHash: string;
}[];

/**
 * Settles withdrawals that the payment service saw on chain, whoever submitted them. The events are consumed more than once:
 * what is settled already stays as it is.
 */
@Injectable()
export class ReportedOutcomesService {
  constructor(
    private readonly withdrawals: WithdrawalRepository,
    private readonly watch: SettlementWatchService,
  ) {}

  /** Locks the withdrawals that the event reports. Locked before the payment, as a confirm does it. */
  async lock(
    manager: EntityManager,
    { payment, mined_withdrawals: mined = [] }: PaymentState,
  ): Promise<ReportedOutcomes> {
    const byId = new Map(mined.flatMap((each) => entryOf(each)));
    if (byId.size === 0) return [];
    const records = await this.withdrawals.lockOpen(manager, payment.payment_id, [...byId.keys()]);
    return records.flatMap((record) => {
      const reported = byId.get(record.id);
      return reported?.chain === record.chain &&
        BigInt(reported.nonce) === record.nonce &&
        record.withdrawAccount === 'SPW'
        ? [{ record, transactionHash: reported.transaction_hash }]
        : [];
    });
  }

  async settle(manager: EntityManager, outcomes: ReportedOutcomes): Promise<void> {
    for (const { record, transactionHash } of outcomes) {
      await this.withdrawals.apply(manager, record, { kind: 'settled', transactionHash });
      await this.withdrawals.scheduleCheck(record.id, null, manager);
    }
  }

  /** Ends the waits of clients, after the commit. */
  notify(outcomes: ReportedOutcomes): void {
    if (outcomes.length > 0) faultPoint('withdrawal.settled');
    for (const { record } of outcomes) this.watch.notifySettled(record.id);
  }
}

/** Empty for a nonce that this service did not make. */
function entryOf(mined: MinedWithdrawal): [string, MinedWithdrawal][] {
  try {
    return [[parseWithdrawalNonce(BigInt(mined.nonce)).withdrawId, mined]];
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return [];
    throw error;
  }
}
