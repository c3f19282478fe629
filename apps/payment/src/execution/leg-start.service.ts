import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { pauseName } from '@bascule/contracts';
import type { Pause } from '@bascule/contracts';
import { faultPoint, ServiceContext } from '@bascule/process';
import { legCall, parseDeclaration } from '@bascule/solidity';
import type { Declaration, Leg as DeclaredLeg } from '@bascule/solidity';
import {
  SignerUnfundedError,
  TransactionSender,
  TransactionTooExpensiveError,
  TransactionWorker,
  TransactionWouldRevertError,
  UnsignedError,
} from '@bascule/transactions';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { getAddress } from 'viem';
import type { Address, Hex } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { legSubmitted, startableLeg } from '../life-cycle/legs.js';
import { LifeCycleError } from '../life-cycle/legs.js';
import type { Leg, LegFailure, PaymentRecord } from '../life-cycle/payment-record.js';
import { PausesService } from '../pauses/pauses.service.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { LegScreeningService } from '../screening/leg-screening.service.js';
import { BridgeTransfersClient } from './bridge-transfers.client.js';
import type { PlannedConversion } from './conversion.client.js';
import { arrivedFor, declaredLeg, legInput, plannedInput } from './leg-input.js';
import type { LegInput } from './leg-input.js';
import { LegConversionsService } from './leg-conversions.service.js';
import { LegOutcomesService } from './leg-outcomes.service.js';
import { legCostBound, legGasBounds } from './leg-gas.js';
import { formatLegReference } from './leg-reference.js';
import { revertReason } from './revert-reason.js';
import { readWallet } from './wallet.client.js';

/** A startable leg with its chain and declaration. */
interface Start {
  payment: PaymentRecord;
  leg: Leg;
  chain: Chain;
  declaration: Declaration;
  declared: DeclaredLeg;
}

/** Starts legs: reads the wallet, plans the route, records the transaction with the leg's new state. */
@Injectable()
export class LegStartService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly store: PaymentStoreRepository,
    private readonly sender: TransactionSender,
    private readonly transactions: TransactionWorker,
    private readonly bridges: BridgeTransfersClient,
    private readonly outcomes: LegOutcomesService,
    private readonly screening: LegScreeningService,
    private readonly pauses: PausesService,
    private readonly conversions: LegConversionsService,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** Throws on failures of nodes, screening sources or the database, which are no attempts. */
  async start(payment: PaymentRecord, legIndex: number, now: Date): Promise<void> {
    const leg = startableLeg(payment);
    if (leg?.index !== legIndex) return;
    if (await this.isPaused(payment, leg)) return;
    if (!(await this.isClear(payment, leg))) return;
    const declaration = parseDeclaration(payment.declaration);
    const declared = declaredLeg(payment, legIndex);
    const start = { payment, leg, chain: this.chains.get(leg.chain), declaration, declared };
    const input = await this.inputOf(start);
    if (!input) return;
    // An owner's withdrawals revert transactions without a failed attempt.
    const attempts = await this.outcomes.countedAttempts(payment, leg);
    if (attempts >= this.config.executionPatience.maxTransactions) {
      return this.outcomes.givenUp(payment.id, leg, tooManyTransactions);
    }
    const { conversion, pause } = await this.conversions.plan(start, input.amount);
    if ('failure' in conversion) {
      // The paused venue may have converted it.
      if (pause !== undefined) return this.hold(payment, leg, pause);
      return this.outcomes.failed(payment, leg, conversion.failure);
    }
    if (!(await this.isTaken(start, conversion.output, now))) return;
    // Planning takes time, in which an operator may have paused it.
    if (await this.isPaused(payment, leg)) return;
    await this.submit(
      start,
      legCall(declaration, {
        legIndex,
        amount: input.amount,
        fees: input.fees,
        calls: conversion.calls,
      }),
      conversion,
    );
  }

  private async isPaused(payment: PaymentRecord, leg: Leg): Promise<boolean> {
    const pause = await this.pauses.ofLeg(payment, leg.index);
    if (pause !== undefined) await this.hold(payment, leg, pause);
    return pause !== undefined;
  }

  /** Keeps the leg due until the switch is off; the time counts against no limit of its attempts. */
  private async hold(payment: PaymentRecord, leg: Leg, pause: Pause): Promise<void> {
    await this.outcomes.held(payment.id, leg);
    await this.noteWait(payment, leg, `${pauseName(pause)} is paused`);
  }

  /** Throws while a screening source does not answer. */
  private async isClear(payment: PaymentRecord, leg: Leg): Promise<boolean> {
    const verdict = await this.screening.verdict(payment);
    if (typeof verdict === 'object') {
      await this.outcomes.givenUp(payment.id, leg, verdict.failure);
    }
    return verdict === 'clear';
  }

  /** Null where the leg waits until the scanner or a deadline has seen the chain's state. */
  private async inputOf({ payment, leg, chain, declared }: Start): Promise<LegInput | null> {
    const arrived = arrivedFor(payment, leg.index);
    if (arrived === 0n) {
      await this.wait(payment, leg, 'delivery no longer in the wallet');
      return null;
    }
    const input = legInput(declared, arrived, plannedInput(payment, leg.index));
    if (!input) {
      await this.outcomes.failed(payment, leg, feesTooHigh);
      return null;
    }
    const wallet = getAddress(payment.walletAddress);
    const state = await readWallet(chain, wallet, declared.inputToken, input.total);
    if (state.legExecuted) {
      await this.outcomes.foundExecuted(payment, leg);
      return null;
    }
    if (state.executorEnded || !state.hasNeeded) {
      await this.wait(
        payment,
        leg,
        state.executorEnded ? 'executor rights ended' : 'balance too low',
      );
      return null;
    }
    return input;
  }

  /** Locks money only in a bridge that offers to deliver it; until then the owner can withdraw it. */
  private async isTaken({ payment, leg }: Start, amount: bigint, now: Date): Promise<boolean> {
    if (payment.plan.legs[leg.index]?.bridge === undefined) return true;
    const offer = await this.bridges.offer(payment, leg.index, amount, now);
    if (offer.kind === 'accepted') return true;
    await (offer.kind === 'refused'
      ? this.outcomes.failed(payment, leg, offer.failure)
      : this.outcomes.postponed(payment.id, leg, offer.failure));
    return false;
  }

  private async submit(
    start: Start,
    transaction: { to: Address; data: Hex },
    conversion: PlannedConversion,
  ): Promise<void> {
    const { payment, leg, chain, declared } = start;
    const attempt = leg.attempts + 1;
    const reference = formatLegReference({
      paymentId: payment.id,
      legIndex: leg.index,
      attempt,
    });
    const { venue, output: quoted, calls } = conversion;
    // Others could profit from a swap that they see: by trading before and after it.
    const isPrivate = calls.length > 0;
    try {
      const request = {
        ...{ chain: chain.name, reference, ...transaction, isPrivate },
        ...legGasBounds(payment, leg.index, declared),
        ...legCostBound(payment, leg.index, this.config.maxCostFactor),
      };
      await this.sender.record(request, async (manager, reserve) => {
        await reserve();
        await this.store.change(manager, payment.id, (current) =>
          legSubmitted(current, leg.index, {
            ...{ attempt, nextLookAt: null },
            conversion: venue === null ? null : { venue, quoted },
          }),
        );
        faultPoint('payment.leg-planned');
      });
    } catch (error) {
      if (error instanceof TransactionWouldRevertError)
        return this.refused(start, conversion, error);
      if (error instanceof TransactionTooExpensiveError) {
        return this.wait(payment, leg, 'gas costs more than the quote allows');
      }
      if (error instanceof SignerUnfundedError) {
        return this.wait(payment, leg, 'executor cannot pay the gas');
      }
      if (error instanceof UnsignedError) {
        return this.wait(payment, leg, 'key of the executor unavailable');
      }
      if (!(error instanceof LifeCycleError)) throw error;
      return this.wait(payment, leg, error.message);
    }
    faultPoint('payment.leg-planned');
    await this.sender.broadcast(reference);
    this.transactions.wake();
  }

  private async refused(
    start: Start,
    conversion: PlannedConversion,
    error: TransactionWouldRevertError,
  ): Promise<void> {
    const { payment, leg } = start;
    const reason = revertReason(error.data);
    switch (reason.kind) {
      case 'executed':
        return this.outcomes.foundExecuted(payment, leg);
      case 'over':
        return this.wait(payment, leg, reason.name);
      case 'full':
        return this.outcomes.postponed(payment.id, leg, reason.failure);
      case 'failed':
        return this.outcomes.failed(
          ...([payment, leg] as const),
          ...this.conversions.refusal(start, conversion, reason),
        );
    }
  }

  /** Leaves the row due: the scanner or a deadline will change the payment. */
  private async wait(payment: PaymentRecord, leg: Leg, reason: string): Promise<void> {
    this.context.logger.info({ payment_id: payment.id, leg: leg.index, reason }, 'leg postponed');
    await this.noteWait(payment, leg, reason);
  }

  private async noteWait(
    { id }: PaymentRecord,
    { index: leg, chain }: Leg,
    reason: string,
  ): Promise<void> {
    const entry = { type: 'leg.waiting', facts: { leg, chain, reason } } as const;
    await this.dataSource.transaction((manager) => this.store.note(manager, id, entry));
  }
}

const tooManyTransactions: LegFailure = {
  reason: 'reverted',
  message: 'Every transaction was reverted.',
};

const feesTooHigh: LegFailure = {
  reason: 'unroutable',
  message: 'The fees take the whole amount.',
};
