import { Chains } from '@bascule/chain';
import { faultPoint } from '@bascule/process';
import { TransactionSender } from '@bascule/transactions';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { getAddress } from 'viem';
import type { TransactionReceipt } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { legAt, legAttemptFailed, legFailed, legSettled, legUndone } from '../life-cycle/legs.js';
import type {
  Leg,
  LegFailure,
  LegSettlement,
  PaymentRecord,
} from '../life-cycle/payment-record.js';
import type { ExecutionPatience } from '../life-cycle/policy.js';
import { legBridged } from '../life-cycle/transfers.js';
import { executedShortfall } from '../ratings/shortfall.js';
import type { Measure, Measurement } from '../ratings/shortfall.js';
import { VenueRatingsService } from '../ratings/venue-ratings.service.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import type { Mutation } from '../persistence/payment-store.repository.js';
import { executedLeg, firstBlock } from './executed-leg.js';
import { declaredLeg } from './leg-input.js';
import { BridgeTransfersClient } from './bridge-transfers.client.js';
import { legCostBound } from './leg-gas.js';
import { legReferences } from './leg-reference.js';
import { afterDrops, afterFailure, countedAttempts } from './leg-schedule.js';
import { receiptBlock } from './receipt-block.client.js';
import { findExecution } from './wallet.client.js';

/** Records the outcomes of attempts to execute legs. */
@Injectable()
export class LegOutcomesService {
  private readonly patience: ExecutionPatience;
  private readonly maxCostFactor: bigint;

  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly store: PaymentStoreRepository,
    private readonly transfers: BridgeTransfersClient,
    private readonly sender: TransactionSender,
    private readonly ratings: VenueRatingsService,
    @Inject(PAYMENT_CONFIG) { executionPatience, maxCostFactor }: PaymentConfig,
  ) {
    this.patience = executionPatience;
    this.maxCostFactor = maxCostFactor;
  }

  /** Returns the number of the leg's attempts that count against their bound. */
  async countedAttempts(payment: PaymentRecord, leg: Leg): Promise<number> {
    if (leg.attempts < this.patience.maxTransactions) return leg.attempts;
    const transactions = await this.sender.costs(legReferences(payment.id, leg));
    const { maxCost } = legCostBound(payment, leg.index, this.maxCostFactor);
    return countedAttempts(transactions, maxCost);
  }

  /**
   * Schedules another attempt after one that moved nothing, or fails the leg for good.
   * @param measure measures the conversion of an attempt that it failed
   */
  async failed(
    known: PaymentRecord,
    attempt: Leg,
    failure: LegFailure,
    measure: Measure = () => null,
  ): Promise<void> {
    const attempts = await this.countedAttempts(known, attempt);
    let measured: Measurement | null = null;
    await this.change(known.id, attempt, (payment, leg, now) => {
      measured = measure(leg);
      const verdict = afterFailure({ ...leg, attempts }, failure, this.patience, now);
      return verdict.next === 'retry'
        ? legAttemptFailed(payment, leg.index, verdict.failure, verdict.at)
        : legFailed(payment, leg.index, verdict.failure, now);
    });
    this.ratings.measure(measured);
  }

  /** Fails the leg for good; the money stays in the wallet. */
  async givenUp(paymentId: string, attempt: Leg, failure: LegFailure): Promise<void> {
    await this.change(paymentId, attempt, (payment, leg, now) => {
      const verdict = afterFailure(leg, failure, this.patience, now);
      return legFailed(payment, leg.index, verdict.failure, now);
    });
  }

  /** Postpones the leg until the declaration expires; the money stays in the wallet. */
  async postponed(paymentId: string, attempt: Leg, failure: LegFailure): Promise<void> {
    await this.change(paymentId, attempt, (payment, leg, now) => {
      // Unchanged: the lease schedules the next attempt.
      if (leg.failure?.message === failure.message) return payment;
      const retryAt = new Date(now.getTime() + this.patience.retryMs);
      return legAttemptFailed(payment, leg.index, failure, retryAt);
    });
  }

  /** A switch holds the leg: forgets how long its attempts have failed, since the pause is not its fault. */
  async held(paymentId: string, attempt: Leg): Promise<void> {
    if (attempt.failure?.since === undefined) return;
    await this.change(paymentId, attempt, (payment, leg, now) => {
      if (leg.failure === null) return payment;
      const { reason, message } = leg.failure;
      const retryAt = new Date(now.getTime() + this.patience.retryMs);
      return legAttemptFailed(payment, leg.index, { reason, message }, retryAt);
    });
  }

  /** The owner's withdrawal came first, which is no failure of the payment. */
  interrupted(paymentId: string, attempt: Leg, failure: LegFailure): Promise<void> {
    return this.retryIn(this.patience.retryMs, paymentId, attempt, failure);
  }

  /** The transaction was dropped, which is no failure of the payment; each further one costs a cancellation. */
  dropped(paymentId: string, attempt: Leg, failure: LegFailure): Promise<void> {
    const delayMs = afterDrops(attempt.attempts, this.patience.retryMs);
    return this.retryIn(delayMs, paymentId, attempt, failure);
  }

  private async retryIn(
    delayMs: number,
    paymentId: string,
    attempt: Leg,
    failure: LegFailure,
  ): Promise<void> {
    await this.change(paymentId, attempt, (payment, leg, now) =>
      legAttemptFailed(payment, leg.index, failure, new Date(now.getTime() + delayMs)),
    );
  }

  /** A reorg removed the leg's execution; null where that is recorded already. */
  async undone(paymentId: string, attempt: Leg): Promise<PaymentRecord | null> {
    let isChanged = false;
    const after = await this.change(paymentId, attempt, (payment, leg) => {
      isChanged = true;
      return legUndone(payment, leg.index);
    });
    return isChanged ? after : null;
  }

  /**
   * Records a final receipt; false without a `LegExecuted` log of the leg.
   * @param attempt the attempt that the transaction was; null for one found on chain
   */
  async executed(
    payment: PaymentRecord,
    legIndex: number,
    receipt: TransactionReceipt,
    attempt: number | null,
  ): Promise<boolean> {
    const settlement = await this.settlementOf(payment, legIndex, receipt);
    if (!settlement) return false;
    let measured: Measurement | null = null;
    const isBridged = payment.plan.legs[legIndex]?.bridge !== undefined;
    const record: Recording = (changing) => (current, now) => {
      const changed = changing(current, now);
      const leg = legAt(current, legIndex);
      measured = changed === current ? null : executedShortfall(leg, attempt, settlement.output);
      return changed;
    };
    await (isBridged
      ? this.bridged(payment, legIndex, settlement, receipt, record)
      : this.settled(payment, legIndex, settlement, receipt, record));
    this.ratings.measure(measured);
    return true;
  }

  private async settled(
    payment: PaymentRecord,
    legIndex: number,
    settlement: LegSettlement,
    { transactionHash }: TransactionReceipt,
    record: Recording,
  ): Promise<void> {
    const after = await this.dataSource.transaction(async (manager) => {
      const settling: Mutation = (current, now) =>
        isSettledBy(legAt(current, legIndex), transactionHash)
          ? current
          : legSettled(current, legIndex, settlement, transactionHash, now);
      const changed = await this.store.change(manager, payment.id, record(settling));
      faultPoint('payment.leg-settled');
      if (changed?.status === 'COMPLETE') faultPoint('payment.completed');
      return changed;
    });
    faultPoint('payment.leg-settled');
    if (after?.status === 'COMPLETE') faultPoint('payment.completed');
  }

  private async bridged(
    payment: PaymentRecord,
    legIndex: number,
    settlement: LegSettlement,
    receipt: TransactionReceipt,
    record: Recording,
  ): Promise<void> {
    const transfer = await this.transfers.opened(payment, legIndex, receipt.logs);
    await this.dataSource.transaction(async (manager) => {
      const bridging: Mutation = (current, now) =>
        legBridged(current, legIndex, settlement, transfer, receipt.transactionHash, now);
      await this.store.change(manager, payment.id, record(bridging));
      faultPoint('payment.leg-bridged');
    });
    faultPoint('payment.leg-bridged');
  }

  /** Records an execution found on chain without a transaction of this service. */
  async foundExecuted(payment: PaymentRecord, leg: Leg): Promise<void> {
    const chain = this.chains.get(leg.chain);
    const wallet = getAddress(payment.walletAddress);
    const receipt = await findExecution(chain, wallet, firstBlock(payment, leg));
    if (receipt !== undefined) await this.executed(payment, leg.index, receipt, null);
  }

  /** Skips a leg that another replica has changed since the attempt. */
  private async change(
    paymentId: string,
    attempt: Leg,
    mutate: (payment: PaymentRecord, leg: Leg, now: Date) => PaymentRecord,
  ): Promise<PaymentRecord | null> {
    return this.store.changeNow(paymentId, (payment, now) => {
      const leg = legAt(payment, attempt.index);
      const isSame = leg.status === attempt.status && leg.attempts === attempt.attempts;
      return isSame ? mutate(payment, leg, now) : payment;
    });
  }

  private async settlementOf(
    payment: PaymentRecord,
    legIndex: number,
    receipt: TransactionReceipt,
  ): Promise<LegSettlement | null> {
    const wallet = getAddress(payment.walletAddress);
    const { inputToken } = declaredLeg(payment, legIndex);
    const chain = this.chains.get(legAt(payment, legIndex).chain);
    const { converter } = chain.definition.contracts;
    const executed = executedLeg(receipt.logs, wallet, legIndex, { inputToken, converter });
    return executed && { ...executed, ...(await receiptBlock(chain, receipt)) };
  }
}

/** Wraps a change so that its conversion is measured where it changes something. */
type Recording = (changing: Mutation) => Mutation;

const isSettledBy = (leg: Leg, transactionHash: string): boolean =>
  leg.status === 'COMPLETE' && leg.transactionHash === transactionHash;
