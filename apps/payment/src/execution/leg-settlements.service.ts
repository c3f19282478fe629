import { Chains } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { AttemptLog, TransactionWorker } from '@bascule/transactions';
import type { TransactionOutcome } from '@bascule/transactions';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { getAddress } from 'viem';
import { revertedShortfall } from '../ratings/shortfall.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { legAt } from '../life-cycle/legs.js';
import type { Leg, LegFailure, PaymentRecord } from '../life-cycle/payment-record.js';
import { arrivedFor, declaredLeg, legInput, plannedInput } from './leg-input.js';
import { isRevertOfConversion } from './conversion-blame.js';
import { attemptNote } from './attempt-note.js';
import { LegOutcomesService } from './leg-outcomes.service.js';
import { parseLegReference } from './leg-reference.js';
import { witnessedWallet } from './wallet.client.js';
import type { WalletState } from './wallet.client.js';
import { WalletRefundsService } from './wallet-refunds.service.js';

const REVERTED: LegFailure = { reason: 'reverted', message: 'The transaction was reverted.' };
const DROPPED: LegFailure = { reason: 'reverted', message: 'The transaction could not be sent.' };

/** Handles outcomes of legs' transactions; idempotent, since an outcome can be reported again. */
@Injectable()
export class LegSettlementsService implements OnModuleInit {
  constructor(
    private readonly transactions: TransactionWorker,
    private readonly attempts: AttemptLog,
    private readonly store: PaymentStoreRepository,
    private readonly chains: Chains,
    private readonly reader: PaymentReaderRepository,
    private readonly outcomes: LegOutcomesService,
    private readonly refunds: WalletRefundsService,
    private readonly context: ServiceContext,
  ) {}

  onModuleInit(): void {
    this.transactions.onSettled((reference, outcome) => this.settle(reference, outcome));
    this.attempts.onAttempt(async (manager, fact) => {
      const note = attemptNote(fact);
      if (note === null) return;
      await this.store.note(manager, note.paymentId, note.entry);
      const leg = parseLegReference(fact.reference);
      if (leg !== null) await this.store.legSent(manager, leg, fact.hash);
    });
  }

  async settle(reference: string, outcome: TransactionOutcome): Promise<void> {
    const about = parseLegReference(reference);
    if (!about) return this.refunds.settle(reference, outcome);
    const { paymentId, legIndex, attempt } = about;
    const payment = (await this.reader.find(paymentId))?.payment;
    if (!payment) throw new Error(`transaction ${reference} belongs to no payment`);
    if (outcome.status === 'success') {
      if (await this.outcomes.executed(payment, legIndex, outcome.receipt, attempt)) return;
      this.context.logger.error(
        { reference, hash: outcome.hash },
        'successful receipt without LegExecuted log',
      );
    }
    // An outcome of an earlier attempt does not apply to the one in flight.
    const leg = await this.inFlightLeg(payment, legAt(payment, legIndex));
    if (leg?.attempts !== attempt) return;
    if (outcome.status === 'dropped') return this.outcomes.dropped(paymentId, leg, DROPPED);
    if (await this.hasOwnerIntervened(payment, leg)) {
      return this.outcomes.interrupted(paymentId, leg, REVERTED);
    }
    const declared = declaredLeg(payment, legIndex);
    // Calls that pass the simulation and revert on chain would do so again.
    if (declared.customCalls.length > 0) return this.outcomes.givenUp(paymentId, leg, REVERTED);
    const isOfConversion =
      leg.conversion !== null && isRevertOfConversion(declared, leg.conversion.quoted);
    return this.outcomes.failed(payment, leg, REVERTED, (current) =>
      isOfConversion ? revertedShortfall(current, attempt) : null,
    );
  }

  /** Leg of an attempt without outcome; null otherwise. A deep reorg takes an outcome back. */
  private async inFlightLeg(payment: PaymentRecord, leg: Leg): Promise<Leg | null> {
    if (leg.status === 'EXECUTING') return leg;
    if (leg.status !== 'BRIDGING') return null;
    const { legExecuted } = await this.walletOf(payment, leg, 0n);
    if (legExecuted) return null;
    const undone = await this.outcomes.undone(payment.id, leg);
    return undone && legAt(undone, leg.index);
  }

  private async hasOwnerIntervened(payment: PaymentRecord, leg: Leg): Promise<boolean> {
    const input = legInput(
      declaredLeg(payment, leg.index),
      arrivedFor(payment, leg.index),
      plannedInput(payment, leg.index),
    );
    const wallet = await this.walletOf(payment, leg, input?.total ?? 0n);
    return wallet.executorEnded || !wallet.hasNeeded;
  }

  private walletOf(payment: PaymentRecord, leg: Leg, needed: bigint): Promise<WalletState> {
    const { inputToken } = declaredLeg(payment, leg.index);
    return witnessedWallet(
      this.chains.get(leg.chain),
      getAddress(payment.walletAddress),
      inputToken,
      needed,
    );
  }
}
