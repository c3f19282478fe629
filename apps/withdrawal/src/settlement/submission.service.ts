import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { TransactionSender, TransactionWouldRevertError } from '@bascule/transactions';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  BaseError,
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  getAbiItem,
  multicall3Abi,
} from 'viem';
import type { Hex } from 'viem';
import type { Call } from '../accounts/withdrawal-account.js';
import { WithdrawalAccountsService } from '../accounts/withdrawal-accounts.service.js';
import { ChainUnreadableError } from '../chain/chain-unreadable-error.js';
import { contractError, failed } from './chain-refusal.js';
import { submissionReference } from '../life-cycle/submission.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import type { OwnTransaction } from './settlement-decision.js';

const aggregate3Abi = [getAbiItem({ abi: multicall3Abi, name: 'aggregate3' })];

/** The chain would revert the withdrawal now. */
export class WithdrawalWouldRevertError extends Error {
  constructor(
    /** Of the wallet or the escrow; null when it is another's. */
    readonly contractError: string | null,
    cause: unknown,
  ) {
    super(`the withdrawal would revert: ${contractError ?? 'unknown reason'}`, { cause });
    this.name = 'WithdrawalWouldRevertError';
  }
}

/** What owners' contracts and their deployment run is at our cost; the fee covers none of it. */
const MOST_GAS = 3_000_000n;

/** The relayer's transactions of withdrawals. */
@Injectable()
export class SubmissionService {
  constructor(
    private readonly chains: Chains,
    private readonly accounts: WithdrawalAccountsService,
    private readonly sender: TransactionSender,
    private readonly withdrawals: WithdrawalRepository,
    private readonly context: ServiceContext,
  ) {}

  /**
   * The transaction of a signed withdrawal. Asks others than the database, so never while a lock is held.
   * @throws ServiceError when it could not succeed now, or would cost too much
   */
  async prepare(record: WithdrawalRecord, signature: Hex): Promise<Call> {
    const call = await this.accounts.get(record.withdrawAccount).submission(record, signature);
    const { client, name } = this.chains.get(record.chain);
    // What would revert is told with its reason when it is recorded.
    const gas = await client
      .estimateGas({ account: this.sender.signerAddress(name), ...call })
      .catch(() => 0n);
    if (gas > MOST_GAS) {
      throw failed('it needs more gas than the service pays for; bring it to the chain yourself.');
    }
    return call;
  }

  /**
   * Records the next transaction of a locked withdrawal; it is sent after the commit, by `send` or by any replica.
   * @throws WithdrawalWouldRevertError
   */
  async record(manager: EntityManager, record: WithdrawalRecord, call: Call): Promise<void> {
    const chain = this.chains.get(record.chain);
    const reference = submissionReference(record.id, record.submissions + 1);
    try {
      await this.sender.record(manager, { chain: chain.name, reference, ...call });
    } catch (error) {
      if (error instanceof BaseError) throw new ChainUnreadableError(chain.name, error);
      if (!(error instanceof TransactionWouldRevertError)) throw error;
      const isBatch = call.to === chain.definition.contracts.multicall3;
      const data = isBatch ? await innerRevert(chain, call) : error.data;
      throw new WithdrawalWouldRevertError(contractError(data), error);
    }
    await this.withdrawals.countSubmission(manager, record.id);
  }

  /** Right after the commit; when it fails, the worker of some replica does it. */
  async send(withdrawId: string, number: number): Promise<void> {
    try {
      await this.sender.broadcast(submissionReference(withdrawId, number));
    } catch (error) {
      this.context.logger.warn({ err: error, withdraw_id: withdrawId }, 'broadcasting is left');
    }
  }

  async newest(record: WithdrawalRecord): Promise<OwnTransaction> {
    if (record.submissions === 0) return 'none';
    const found = await this.sender.find(submissionReference(record.id, record.submissions));
    return found?.status ?? 'none';
  }
}

/** Multicall3 hides why a call in it failed, unless it may fail. */
async function innerRevert(chain: Chain, { to, data: batch }: Call): Promise<Hex> {
  const [calls] = decodeFunctionData({ abi: aggregate3Abi, data: batch }).args;
  const failing = calls.map((call) => ({ ...call, allowFailure: true }));
  const probe = encodeFunctionData({
    abi: aggregate3Abi,
    functionName: 'aggregate3',
    args: [failing],
  });
  const { data } = await chain.client.call({ to, data: probe });
  if (data === undefined) return '0x';
  const results = decodeFunctionResult({ abi: aggregate3Abi, functionName: 'aggregate3', data });
  // The withdrawal itself; what comes before it may fail because somebody else was first.
  const last = results.at(-1);
  return last === undefined || last.success ? '0x' : last.returnData;
}
