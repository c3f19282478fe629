import { Chains } from '@bascule/chain';
import { forbidden, notFound } from '@bascule/contracts';
import type { WithdrawalStatusResponse } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { isUniqueViolation } from '@bascule/persistence';
import { faultPoint } from '@bascule/process';
import { canonicalSignature } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Address, Hex } from 'viem';
import { WithdrawalAccountsService } from '../accounts/withdrawal-accounts.service.js';
import {
  alreadyExecuted,
  expired,
  failed,
  chainRefusal,
  reducedFeeUsed,
  wrongSignature,
} from '../settlement/chain-refusal.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { PaymentAccessService } from '../payments/payment-access.service.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { SettlementWatchService } from '../settlement/settlement-watch.service.js';
import { SubmissionService, WithdrawalWouldRevertError } from '../settlement/submission.service.js';
import { WithdrawalWorker } from '../settlement/withdrawal.worker.js';
import { statusResponse } from '../status/status-response.js';
import type { Confirmation } from './confirmation.js';
import { matchingWithdrawals } from './matching-withdrawals.js';
import { OwnerSignatureClient } from './owner-signature.client.js';
import { StateTokensService } from '../requests/state-tokens.service.js';

export interface WaitLimits {
  ms: number;
  clientGone: AbortSignal;
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
    private readonly submissions: SubmissionService,
    private readonly watch: SettlementWatchService,
    private readonly worker: WithdrawalWorker,
  ) {}

  async confirm(
    caller: Caller,
    confirmation: Confirmation,
    limits: WaitLimits,
  ): Promise<WithdrawalStatusResponse> {
    const signature = canonicalSignature(confirmation.signature);
    const record = await this.signedWithdrawal(caller, confirmation, signature);
    await this.payments.getMovable(caller, record.paymentId);
    requirePending(record);
    if (!record.submitted) await this.submit(record, signature);
    await this.watch.untilSettled(record.id, limits.ms, limits.clientGone);
    const now = await this.withdrawals.find(record.id);
    if (now === null) throw new Error('withdrawal not found after its confirmation');
    if (now.status === 'FAILED') throw failed(now.failure);
    if (now.status === 'EXPIRED') throw expired();
    return statusResponse(now);
  }

  /** @throws ServiceError 401 when no candidate has the owner's signature */
  private async signedWithdrawal(
    caller: Caller,
    confirmation: Confirmation,
    signature: Hex,
  ): Promise<WithdrawalRecord> {
    const candidates =
      confirmation.form === 'state-token'
        ? [await this.byStateToken(caller, confirmation.stateToken)]
        : await this.byContent(caller, confirmation);
    for (const record of candidates) {
      // An ended withdrawal is reported as such, whatever the signature.
      if (record.status !== 'PENDING' || (await this.isSigned(record, signature))) return record;
    }
    throw wrongSignature();
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

  private async byContent(
    caller: Caller,
    confirmation: Extract<Confirmation, { form: 'content' }>,
  ): Promise<WithdrawalRecord[]> {
    const payment = await this.payments.get(caller, confirmation.paymentId);
    const { payload, withdrawAccount } = confirmation;
    const account = this.accounts.get(withdrawAccount);
    const candidates = matchingWithdrawals(
      await this.withdrawals.findSignable(payment.id),
      confirmation,
    ).filter((record) => payload === null || account.isIdentifiedBy(record, payload));
    if (candidates.length === 0) throw notFound('No withdrawal to confirm was found.');
    return candidates;
  }

  private isSigned(record: WithdrawalRecord, signature: Hex): Promise<boolean> {
    const digest = this.accounts.get(record.withdrawAccount).digest(record);
    const chain = this.chains.get(record.chain);
    return this.signatures.isValid(chain, record.ownerAddress as Address, digest, signature);
  }

  /** Idempotent: concurrent calls record one transaction. */
  private async submit(signed: WithdrawalRecord, signature: Hex): Promise<void> {
    const { id } = signed;
    const call = await this.submissions.prepare(signed, signature);
    const recorded = await this.dataSource
      .transaction(async (manager) => {
        const record = await this.withdrawals.lock(manager, id);
        requirePending(record);
        if (record.submitted) return false;
        await this.submissions.record(manager, record, call);
        await this.withdrawals.apply(manager, record, { kind: 'submitted', signature });
        return true;
      })
      .catch((error: unknown) => {
        if (isUniqueViolation(error, 'withdrawals_reduced_fee_root_idx')) throw reducedFeeUsed();
        throw error instanceof WithdrawalWouldRevertError
          ? chainRefusal(error.contractError)
          : error;
      });
    if (!recorded) return;
    faultPoint('withdrawal.submitted');
    await this.submissions.send(id, 1);
    await this.withdrawals.scheduleCheck(id, 0);
    this.worker.wake();
  }
}

function requirePending(record: WithdrawalRecord): void {
  if (record.status === 'SUCCESS') throw alreadyExecuted();
  if (record.status === 'EXPIRED') throw expired();
  if (record.status === 'FAILED') throw failed(record.failure);
}
