import { Chains } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { TransactionSender, TransactionWouldRevertError } from '@bascule/transactions';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BaseError, decodeFunctionResult, multicall3Abi } from 'viem';
import type { Address, Hex } from 'viem';
import { ChainUnreadableError } from '../chain/within.js';
import { walletError } from '../life-cycle/refusal-of-chain.js';
import { submissionCall, submissionReference } from '../life-cycle/submission.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import type { OwnTransaction } from './decide.js';

/** The chain would revert the withdrawal now. */
export class WithdrawalWouldRevertError extends Error {
  constructor(
    /** The wallet's error, when it is one of its own. */
    readonly walletError: string | null,
    cause: unknown,
  ) {
    super(`the withdrawal would revert: ${walletError ?? 'unknown reason'}`, { cause });
    this.name = 'WithdrawalWouldRevertError';
  }
}

/** The relayer's transactions of withdrawals. */
@Injectable()
export class SubmissionService {
  constructor(
    private readonly chains: Chains,
    private readonly sender: TransactionSender,
    private readonly withdrawals: WithdrawalRepository,
    private readonly context: ServiceContext,
  ) {}

  /**
   * Records the next transaction of a locked withdrawal; it is sent after the commit, by `send` or by any replica.
   * @throws WithdrawalWouldRevertError
   */
  async record(manager: EntityManager, record: WithdrawalRecord, signature: Hex): Promise<void> {
    const chain = this.chains.get(record.chain);
    const { multicall3 } = chain.definition.contracts;
    const isDeployed = await isDeployedForGood(chain, record.walletAddress as Address);
    const call = submissionCall(record, signature, { multicall3, isDeployed });
    const reference = submissionReference(record.id, record.submissions + 1);
    try {
      await this.sender.record(manager, { chain: chain.name, reference, ...call });
    } catch (error) {
      if (error instanceof BaseError) throw new ChainUnreadableError(chain.name, error);
      if (!(error instanceof TransactionWouldRevertError)) throw error;
      const isBatch = call.to === multicall3;
      const data = isBatch ? await innerRevert(chain, record, signature) : error.data;
      throw new WithdrawalWouldRevertError(walletError(data), error);
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

async function isDeployedForGood(chain: Chain, wallet: Address): Promise<boolean> {
  const head = await chain.client.getBlockNumber();
  const depth = BigInt(chain.definition.confirmations) - 1n;
  const blockNumber = head > depth ? head - depth : 0n;
  return (await chain.client.getCode({ address: wallet, blockNumber })) !== undefined;
}

/** Multicall3 hides why a call in it failed, unless it may fail. */
async function innerRevert(chain: Chain, record: WithdrawalRecord, signature: Hex): Promise<Hex> {
  const { multicall3 } = chain.definition.contracts;
  const target = { multicall3, isDeployed: false, allowFailure: true };
  const { data } = await chain.client.call(submissionCall(record, signature, target));
  if (data === undefined) return '0x';
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data });
  // The withdrawal is the last; a deployment before it may fail because somebody else was first.
  return results.findLast(({ success }) => !success)?.returnData ?? '0x';
}
