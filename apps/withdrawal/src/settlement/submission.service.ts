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
  withdrawalDataFee,
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
import { refusingError } from './refusing-error.client.js';
import { WithdrawalNeedsMoreGasError } from './withdrawal-needs-more-gas-error.js';
import { WithdrawalWouldRevertError } from './withdrawal-would-revert-error.js';
import { submissionReference, withdrawIdOf } from '../life-cycle/submission.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import type { OwnTransaction } from './settlement-decision.js';

/** Most that a submission may cost, replacements included, in multiples of its whole gas at the price of its time. */
const MAX_COST_FACTOR = 3n;

/** Transaction that uses at most `gasLimit`, and costs at most `maxCost`. */
export interface BoundedCall extends Call {
  gasLimit: bigint;
  /** Most that any of its attempts may cost, in wei. */
  maxCost: bigint;
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
      const [isDeployment, price] = await Promise.all([
        deploysOwner(chain, record.ownerAddress as Address, signature),
        priceOf(chain),
      ]);
      const affordable = record.maxCostWei === null ? null : gasFor(price, record.maxCostWei);
      const max =
        affordable === null
          ? maxSubmissionGas({ paid: paidGas, deploysOwner: isDeployment })
          : paidGas;
      const most = affordable !== null && affordable < max ? affordable : max;
      const estimate = await this.estimate(chain, { to, data }, most);
      const bounded = (limit: bigint) => ({
        ...{ to, data, gasLimit: limit },
        maxCost: record.maxCostWei ?? MAX_COST_FACTOR * costOf(price, limit),
      });
      if (estimate === null) return { ...bounded(max), wouldRevert: true };
      if (estimate > max) throw new WithdrawalNeedsMoreGasError(max);
      if (affordable !== null && estimate > affordable) throw new GasPriceRoseError(network);
      const limit = gasLimit(estimate, max, affordable);
      return { ...bounded(limit), wouldRevert: false };
    } catch (error) {
      throw error instanceof BaseError ? new ChainUnreadableError(chain.name, error) : error;
    }
  }

  /**
   * Records the next transaction of a withdrawal with the caller's change, which locks it before it calls `reserve`; `send`
   * or any replica broadcasts it after the commit.
   * @throws WithdrawalWouldRevertError
   */
  async record<T>(
    { id, chain: name, submissions }: WithdrawalRecord,
    call: BoundedCall,
    change: RecordedChange<T>,
  ): Promise<T> {
    const chain = this.chains.get(name);
    const { to, data, gasLimit: limit, maxCost } = call;
    const request = {
      ...{ chain: name, reference: submissionReference(id, submissions + 1) },
      ...{ to, data, gasLimit: limit, maxCost },
    };
    try {
      return await this.sender.record(request, (manager, reserve) =>
        change(manager, async () => {
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

interface Price {
  gasPrice: bigint;
  dataFee: bigint;
}

async function priceOf(chain: Chain): Promise<Price> {
  const [gasPrice, dataFee] = await Promise.all([gasPriceOf(chain), withdrawalDataFee(chain)]);
  return { gasPrice, dataFee };
}

const costOf = ({ gasPrice, dataFee }: Price, gas: bigint): bigint => gasPrice * gas + dataFee;

/** Gas that costs this much at the present price, the data fee included. */
function gasFor({ gasPrice, dataFee }: Price, wei: bigint): bigint {
  if (wei < dataFee) return 0n;
  return (wei - dataFee) / (gasPrice > 0n ? gasPrice : 1n);
}
