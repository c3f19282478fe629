import { Chains, isKeySignature } from '@bascule/chain';
import type { SignatureClaim } from '@bascule/chain';
import { forbidden, notFound, unavailable, type ServiceError } from '@bascule/contracts';
import type { WithdrawalStatusResponse } from '@bascule/contracts';
import { insertAnswer } from '@bascule/idempotency';
import type { IdempotentWork, SealedAnswer } from '@bascule/idempotency';
import { visitorOf } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { isUniqueViolation } from '@bascule/persistence';
import { faultPoint } from '@bascule/process';
import { canonicalSignature } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Address, Hex } from 'viem';
import { WithdrawalAccountsService } from '../accounts/withdrawal-accounts.service.js';
import {
  alreadyExecuted,
  expired,
  failed,
  reducedFeeUsed,
  wrongSignature,
} from '../settlement/withdrawal-answers.js';
import { MAX_UNEXECUTED, submissionTurn } from '../life-cycle/submission-turn.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { PaymentAccessService } from '../payments/payment-access.service.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { WithdrawalScreeningService } from '../screening/withdrawal-screening.service.js';
import { refusalOf } from '../settlement/refusal.js';
import { SettlementService } from '../settlement/settlement.service.js';
import { SubmissionService } from '../settlement/submission.service.js';
import { WithdrawalRevertsError } from '../settlement/withdrawal-reverts-error.js';
import { WalletBusyError } from '../settlement/wallet-busy-error.js';
import { WithdrawalWouldRevertError } from '../settlement/withdrawal-would-revert-error.js';
import { WithdrawalWorker } from '../settlement/withdrawal.worker.js';
import { statusResponse } from '../status/status-response.js';
import type { Confirmation } from './confirmation.js';
import { OwnerSignatureClient } from './owner-signature.client.js';
import { OvertakenChecksService } from './overtaken-checks.service.js';
import { SettlementWaitsService } from './settlement-waits.service.js';
import type { Wait } from './settlement-waits.service.js';
import { StateTokensService } from '../requests/state-tokens.service.js';

export interface WaitLimits {
  ms: number;
  clientGone: AbortSignal;
}

/** Withdrawals of one content about which an owner's contract is asked: its code is a stranger's, and runs on our nodes. */
const MAX_ASKED = 5;

interface SignedWithdrawal {
  record: WithdrawalRecord;
  signature: Hex;
}

/** Verifies the owner's signature, submits it once and waits until it is settled on chain. */
@Injectable()
export class ConfirmService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly payments: PaymentAccessService,
    private readonly withdrawals: WithdrawalRepository,
    private readonly stateTokens: StateTokensService,
    private readonly accounts: WithdrawalAccountsService,
    private readonly signatures: OwnerSignatureClient,
    private readonly screening: WithdrawalScreeningService,
    private readonly submissions: SubmissionService,
    private readonly settlement: SettlementService,
    private readonly checks: OvertakenChecksService,
    private readonly waits: SettlementWaitsService,
    private readonly worker: WithdrawalWorker,
  ) {}

  /** Returns the work of a confirmation: it submits the signature, then waits for the settlement. */
  confirmation(
    caller: Caller,
    confirmation: Confirmation,
    { ms, clientGone }: WaitLimits,
  ): IdempotentWork<WithdrawalStatusResponse> {
    const wait = { until: performance.now() + ms, clientGone, caller };
    let isInterrupted = false;
    return {
      effect: async (slot) => {
        const signature = canonicalSignature(confirmation.signature);
        const record = await this.signedWithdrawal(caller, confirmation, signature);
        requirePending(record);
        const accepted = statusResponse(record);
        if (!record.submitted) {
          await this.payments.getMovable(caller, record);
          // The client's answer follows when the withdrawal is settled.
          const answer = await slot?.seal(accepted, { isFinal: false });
          const overtaken = await this.submitInTurn({ record, signature }, answer, wait);
          if (overtaken !== null) {
            isInterrupted = await this.whenOvertaken(record.id, overtaken, wait);
          }
        }
        return accepted;
      },
      finish: async ({ withdraw_id }) =>
        isInterrupted ? null : this.whenSettled(withdraw_id, wait),
    };
  }

  /** Null when the wait was cut short before the settlement: a repetition waits again. */
  private async whenSettled(
    withdrawId: string,
    wait: Wait,
  ): Promise<WithdrawalStatusResponse | null> {
    const isInterrupted = await this.waits.untilSettled(withdrawId, wait);
    const now = await this.existing(withdrawId);
    if (now.status === 'FAILED') throw failed(now.failure);
    if (now.status === 'EXPIRED') throw expired();
    return now.status === 'PENDING' && isInterrupted ? null : statusResponse(now);
  }

  /**
   * Waits for the chain's verdict on a transaction that was first, which no worker looks for. Returns early when that is
   * ours, by a concurrent confirm.
   * @returns true where the wait was cut short: a later confirm or the status has the verdict
   * @throws ServiceError for a transaction of someone else
   */
  private async whenOvertaken(
    withdrawId: string,
    overtaken: ServiceError,
    wait: Wait,
  ): Promise<boolean> {
    for (let isOver = false; ; isOver = wait.until <= performance.now()) {
      const record = await this.pending(withdrawId);
      if (record.submitted) return false;
      if (isOver) throw overtaken;
      await this.checks.compare(record);
      const until = Math.min(performance.now() + this.settlement.pauseOn(record.chain), wait.until);
      if (await this.waits.untilSettled(withdrawId, { ...wait, until })) {
        return !(await this.pending(withdrawId)).submitted;
      }
    }
  }

  /** @throws ServiceError where the withdrawal has ended */
  private async pending(withdrawId: string): Promise<WithdrawalRecord> {
    const record = await this.existing(withdrawId);
    requirePending(record);
    return record;
  }

  private async existing(withdrawId: string): Promise<WithdrawalRecord> {
    const record = await this.withdrawals.find(withdrawId);
    if (record === null) throw new Error('withdrawal not found after its confirmation');
    return record;
  }

  /** @throws ServiceError 401 when no candidate has the owner's signature */
  private async signedWithdrawal(
    caller: Caller,
    confirmation: Confirmation,
    signature: Hex,
  ): Promise<WithdrawalRecord> {
    if (confirmation.form === 'content') return this.byContent(caller, confirmation, signature);
    const record = await this.byStateToken(caller, confirmation.stateToken);
    // An ended withdrawal is reported as such, whatever the signature.
    if (record.status === 'PENDING' && !(await this.isSigned(record, signature))) {
      throw wrongSignature();
    }
    return record;
  }

  private async byStateToken(caller: Caller, stateToken: string): Promise<WithdrawalRecord> {
    const { withdrawId, orgId } = await this.stateTokens.open(stateToken);
    if (orgId !== caller.orgId) {
      throw forbidden('The withdrawal belongs to another organisation.');
    }
    const record = await this.withdrawals.find(withdrawId);
    if (record === null) throw notFound('Withdrawal not found.');
    return record;
  }

  /** Finds the open withdrawal that the signature belongs to, else the ended one that it confirmed. */
  private async byContent(
    caller: Caller,
    confirmation: Extract<Confirmation, { form: 'content' }>,
    signature: Hex,
  ): Promise<WithdrawalRecord> {
    const { id } = await this.payments.get(caller, confirmation.paymentId);
    const { payload, withdrawAccount } = confirmation;
    const account = this.accounts.get(withdrawAccount);
    const signedPart = payload === null ? null : account.signedPartOf(payload);
    const content = { ...confirmation, signedPart, visitor: visitorOf(caller) };
    const open = await this.withdrawals.findSignable(id, content);
    const byKey = await this.signedByKey(open, signature);
    if (byKey !== null) return byKey;
    const ended = await this.withdrawals.findEnded(id, content);
    const confirmed = ended.find((record) => record.signature === signature);
    const found = confirmed ?? (await this.signedByKey(ended, signature));
    if (found !== null) return found;
    const candidates = [...open, ...ended];
    for (const record of candidates.slice(0, MAX_ASKED)) {
      if (await this.isSigned(record, signature)) return record;
    }
    if (candidates.length > 0) throw wrongSignature();
    throw notFound('No withdrawal to confirm was found.');
  }

  /** Finds the withdrawal that the owner's own key signed, without a request to a node. */
  private async signedByKey(
    records: readonly WithdrawalRecord[],
    signature: Hex,
  ): Promise<WithdrawalRecord | null> {
    for (const record of records) {
      if (await isKeySignature(this.claim(record, signature))) return record;
    }
    return null;
  }

  private isSigned(record: WithdrawalRecord, signature: Hex): Promise<boolean> {
    return this.signatures.isValid(this.chains.get(record.chain), this.claim(record, signature));
  }

  private claim(record: WithdrawalRecord, signature: Hex): SignatureClaim {
    const digest = this.accounts.get(record.withdrawAccount).digest(record);
    return { owner: record.ownerAddress as Address, digest, signature };
  }

  /**
   * Submits once no other withdrawal of the wallet is in flight on the chain: of two that take the same money, one would
   * revert at our cost. Also waits while so many are in flight on other chains that too many could revert.
   * @throws WalletBusyError where that takes longer than the client waits, or too many wait
   */
  private async submitInTurn(
    signed: SignedWithdrawal,
    stored: SealedAnswer | undefined,
    wait: Wait,
  ): Promise<ServiceError | null> {
    for (;;) {
      try {
        return await this.submitOrFail(signed, stored);
      } catch (error) {
        if (!(error instanceof WalletBusyError) || wait.until <= performance.now()) throw error;
        if (await this.waits.untilSettled(error.withdrawId, wait)) throw error;
      }
    }
  }

  /**
   * Submits the signature, or fails the withdrawal where the chain refuses it. Returns the answer where another transaction
   * was first, so that the chain's confirmed state decides.
   * @throws ServiceError when it was refused
   */
  private async submitOrFail(
    signed: SignedWithdrawal,
    stored: SealedAnswer | undefined,
  ): Promise<ServiceError | null> {
    const { record } = signed;
    try {
      await this.submit(signed, stored);
      return null;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      const { kind, reason, answer } = refusal;
      if (kind === 'refused') {
        if (await this.settlement.fail(record, reason)) throw answer;
        // Another confirm was first: its result counts.
        return null;
      }
      if (kind !== 'overtaken') throw answer;
      return answer;
    }
  }

  /** Idempotent: concurrent calls record one transaction. */
  private async submit(
    { record: signed, signature }: SignedWithdrawal,
    answer: SealedAnswer | undefined,
  ): Promise<void> {
    const { id } = signed;
    await this.requireTurn(signed);
    await this.requireFewReverts(this.dataSource.manager, signed);
    await this.screening.requireClear(signed, 'check');
    const call = await this.submissions.prepare(signed, signature);
    // What the chain refuses spends nothing of the allowance, and so is not submitted.
    if (!call.wouldRevert) await this.screening.requireClear(signed, 'spend');
    const recorded = await this.submissions
      .record(signed, call, async (manager, reserve) => {
        const record = await this.withdrawals.lock(manager, id);
        requirePending(record);
        if (record.submitted) return false;
        await this.withdrawals.lockWallet(manager, record);
        await this.requireTurn(record, manager);
        // Withdrawals on several chains may be submitted at once.
        await this.withdrawals.lockPayment(manager, record.paymentId);
        await this.requireFewReverts(manager, record);
        // It may have been frozen since its owner signed.
        await this.payments.requireMovable(manager, record);
        if (answer !== undefined) await insertAnswer(manager, answer);
        await reserve();
        if (call.wouldRevert)
          throw unavailable('The chain refused the withdrawal just now. Try again.');
        await this.withdrawals.apply(manager, record, { kind: 'submitted', signature });
        return true;
      })
      .catch(async (error: unknown) => {
        if (isUniqueViolation(error, 'withdrawals_reduced_fee_root_idx')) throw reducedFeeUsed();
        // What another withdrawal has taken meanwhile is no reason before that one is settled.
        if (error instanceof WithdrawalWouldRevertError) await this.requireTurn(signed);
        throw error;
      });
    if (!recorded) return;
    faultPoint('withdrawal.submitted');
    await this.submissions.send(id, 1);
    await this.checkNow(id);
  }

  /**
   * An owner's contract can refuse on chain what it accepts in every simulation, and so spend our gas for no fee. Those in
   * flight count: each of them may be refused.
   * @throws WithdrawalRevertsError
   * @throws WalletBusyError where one in flight has to end before
   */
  private async requireFewReverts(manager: EntityManager, record: WithdrawalRecord): Promise<void> {
    const submitted = await this.withdrawals.countSubmitted(manager, record);
    const turn = submissionTurn(submitted);
    if (turn === 'never') throw new WithdrawalRevertsError(MAX_UNEXECUTED);
    const { oneInFlight } = submitted;
    if (turn === 'later' && oneInFlight !== null) throw new WalletBusyError(oneInFlight);
  }

  /** @throws WalletBusyError */
  private async requireTurn(record: WithdrawalRecord, manager?: EntityManager): Promise<void> {
    const inFlight = await this.withdrawals.findInFlight(record, manager);
    if (inFlight !== null) throw new WalletBusyError(inFlight);
  }

  private async checkNow(id: string): Promise<void> {
    await this.withdrawals.scheduleCheck(id, 0);
    this.worker.wake();
  }
}

function requirePending(record: WithdrawalRecord): void {
  if (record.status === 'SUCCESS') throw alreadyExecuted();
  if (record.status === 'EXPIRED') throw expired();
  if (record.status === 'FAILED') throw failed(record.failure);
}
