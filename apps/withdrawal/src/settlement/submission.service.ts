import { minAmount } from '@bascule/amounts';
import { Chains, deploysOwner, estimateGasOf, gasPriceOf } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { unavailable } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import {
  AttemptLog,
  SignerUnfundedError,
  TransactionSender,
  TransactionTooExpensiveError,
  TransactionWouldRevertError,
  UnsignedError,
  asSimulationError,
} from '@bascule/transactions';
import type { RecordedChange } from '@bascule/transactions';
import {
  ChainUnreadableError,
  maxSubmissionGas,
  withdrawalDataFees,
} from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BaseError } from 'viem';
import type { Address, Hex } from 'viem';
import type { Call } from '../accounts/withdrawal-account.js';
import { WithdrawalAccountsService } from '../accounts/withdrawal-accounts.service.js';
import { gasLimit } from './gas-limit.js';
import { GasPriceRoseError } from './gas-price-rose-error.js';
import { MAX_SUBSIDISED, submissionBounds } from './submission-bounds.js';
import type { Prices } from './submission-bounds.js';
import { SubsidiesUsedError } from './subsidies-used-error.js';
import { refusingError } from './refusing-error.client.js';
import { WithdrawalNeedsMoreGasError } from './withdrawal-needs-more-gas-error.js';
import { WithdrawalWouldRevertError } from './withdrawal-would-revert-error.js';
import { submissionReference, withdrawIdOf } from '../life-cycle/submission.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import type { OwnTransaction } from './settlement-decision.js';

/** Transaction that uses at most `gasLimit`, and costs at most `maxCost`. */
export interface BoundedCall extends Call {
  gasLimit: bigint;
  /** Most that any of its attempts may cost, in wei. */
  maxCost: bigint;
  /** May cost more than the fee repays, which is granted to a payment a few times. */
  isSubsidised: boolean;
  /** Reverted when its gas was estimated; recording it reports the reason. */
  wouldRevert: boolean;
}

/** Records and broadcasts the relayer's transactions. */
@Injectable()
export class SubmissionService implements OnModuleInit {
  constructor(
    private readonly chains: Chains,
    private readonly accounts: WithdrawalAccountsService,
    private readonly sender: TransactionSender,
    private readonly attempts: AttemptLog,
    private readonly withdrawals: WithdrawalRepository,
    private readonly context: ServiceContext,
  ) {}

  onModuleInit(): void {
    this.attempts.onAttempt(async (manager, { kind, reference, hash, purpose }) => {
      // A replacement is broadcast, too.
      if (kind === 'replaced') return;
      const transaction = { transaction_hash: hash, is_cancellation: purpose === 'cancellation' };
      await this.withdrawals.publishBroadcast(manager, withdrawIdOf(reference), transaction);
    });
  }

  /**
   * Builds the transaction of a signed withdrawal. Calls other services, so it must not run while a lock is held.
   * @throws ServiceError when it could not succeed now
   * @throws WithdrawalNeedsMoreGasError
   * @throws GasPriceRoseError
   */
  async prepare(record: WithdrawalRecord, signature: Hex): Promise<BoundedCall> {
    const account = this.accounts.get(record.withdrawAccount);
    const { to, data, paidGas } = await account.submission(record, signature);
    const chain = this.chains.get(record.chain);
    const { network } = chain.definition;
    try {
      const [isDeployment, prices, submissions] = await Promise.all([
        deploysOwner(chain, record.ownerAddress as Address, signature),
        pricesOf(chain),
        this.withdrawals.countSubmissions(record.paymentId),
      ]);
      const subsidisedGas = maxSubmissionGas({ paid: paidGas, deploysOwner: isDeployment });
      const within = { submissions, prices, paidGas, subsidisedGas };
      const { isSubsidised, maxGas, affordable, maxCost } = submissionBounds(record, within);
      const most = affordable === null ? maxGas : minAmount(affordable.most, maxGas);
      const estimate = await this.estimate(chain, { to, data }, most);
      const bounded = (limit: bigint) => ({
        ...{ to, data, isSubsidised },
        ...{ gasLimit: limit, maxCost: maxCost(limit) },
      });
      if (estimate === null) return { ...bounded(maxGas), wouldRevert: true };
      if (estimate > maxGas) throw new WithdrawalNeedsMoreGasError(maxGas);
      if (affordable !== null && estimate > affordable.most) throw new GasPriceRoseError(network);
      const limit = gasLimit(estimate, maxGas, affordable);
      return { ...bounded(limit), wouldRevert: false };
    } catch (error) {
      throw error instanceof BaseError ? new ChainUnreadableError(chain.name, error) : error;
    }
  }

  /**
   * Records the next transaction of a withdrawal with the caller's change, which locks it before it calls `reserve`; `send`
   * or any replica broadcasts it after the commit.
   * @throws WithdrawalWouldRevertError
   * @throws SubsidiesUsedError
   */
  async record<T>(
    record: WithdrawalRecord,
    call: BoundedCall,
    change: RecordedChange<T>,
  ): Promise<T> {
    const { id, chain: name, submissions } = record;
    const chain = this.chains.get(name);
    const { to, data, gasLimit: limit, maxCost } = call;
    const request = {
      ...{ chain: name, reference: submissionReference(id, submissions + 1) },
      ...{ to, data, gasLimit: limit, maxCost },
    };
    try {
      return await this.sender.record(request, (manager, reserve) =>
        change(manager, async () => {
          if (call.isSubsidised) await this.requireSubsidy(manager, record);
          await reserve();
          await this.withdrawals.countSubmission(manager, id);
        }),
      );
    } catch (error) {
      if (error instanceof BaseError) throw new ChainUnreadableError(chain.name, error);
      if (error instanceof TransactionTooExpensiveError) {
        throw new GasPriceRoseError(chain.definition.network);
      }
      if (error instanceof SignerUnfundedError || error instanceof UnsignedError) {
        throw unavailable(
          `Withdrawals on ${chain.definition.network} are not submitted at present.`,
        );
      }
      if (!(error instanceof TransactionWouldRevertError)) throw error;
      const named = await this.refusingError(chain, call, error.data);
      throw new WithdrawalWouldRevertError(named, error);
    }
  }

  /**
   * Counts again under a lock: withdrawals on several chains may be submitted at once.
   * @throws SubsidiesUsedError
   */
  private async requireSubsidy(
    manager: EntityManager,
    { paymentId, reducedFeeRoot }: WithdrawalRecord,
  ): Promise<void> {
    if (reducedFeeRoot !== null) return;
    await this.withdrawals.lockPayment(manager, paymentId);
    const submissions = await this.withdrawals.countSubmissions(paymentId, manager);
    if (submissions >= MAX_SUBSIDISED) throw new SubsidiesUsedError();
  }

  /** @throws ChainUnreadableError */
  private async refusingError(chain: Chain, call: Call, stated: Hex): Promise<string | null> {
    try {
      const account = this.sender.signerAddress(chain.name);
      return await refusingError(chain, account, call, stated);
    } catch (error) {
      throw error instanceof BaseError ? new ChainUnreadableError(chain.name, error) : error;
    }
  }

  /** Null for a revert, which recording reports with its reason. */
  private async estimate(chain: Chain, call: Call, bound: bigint): Promise<bigint | null> {
    const account = this.sender.signerAddress(chain.name);
    try {
      return await estimateGasOf(chain, { account, ...call }, bound);
    } catch (error) {
      if (asSimulationError('estimate', error) instanceof TransactionWouldRevertError) return null;
      throw error;
    }
  }

  /** Broadcasts right after the commit; on failure, a replica's worker does it. */
  async send(withdrawId: string, number: number): Promise<void> {
    try {
      await this.sender.broadcast(submissionReference(withdrawId, number));
    } catch (error) {
      this.context.logger.warn({ err: error, withdraw_id: withdrawId }, 'broadcast failed');
    }
  }

  /** @param manager of the caller's transaction, if it has one */
  async newest(
    { id, submissions }: WithdrawalRecord,
    manager?: EntityManager,
  ): Promise<OwnTransaction> {
    if (submissions === 0) return 'none';
    const found = await this.sender.find(submissionReference(id, submissions), manager);
    return found?.status ?? 'none';
  }
}

async function pricesOf(chain: Chain): Promise<Prices> {
  const [gasPrice, dataFee] = await Promise.all([gasPriceOf(chain), withdrawalDataFees(chain)]);
  return { gasPrice, dataFee };
}
