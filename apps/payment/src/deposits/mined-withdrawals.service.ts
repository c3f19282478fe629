import type { EndpointClient } from '@bascule/chain';
import { oneTimeWalletAbi } from '@bascule/solidity';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { getAbiItem } from 'viem';
import type { Address, Hash } from 'viem';
import { MinedWithdrawalRecorderService } from '../withdrawals/mined-withdrawal-recorder.service.js';
import type {
  ObservedWithdrawal,
  WithdrawnLog,
} from '../withdrawals/mined-withdrawal-recorder.service.js';
import { readPointer } from './block-reader.client.js';
import { DepositRepository } from './deposit.repository.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import type { BlockPointer } from './scanned-chain.js';

interface FoundLog {
  wallet: Address;
  nonce: bigint;
  acceptBlame: boolean;
  transactionHash: Hash;
  blockNumber: bigint;
}

const WITHDRAWN = getAbiItem({ abi: oneTimeWalletAbi, name: 'Withdrawn' });

/** Finds final withdrawals, including those that third parties submitted. */
@Injectable()
export class MinedWithdrawalsService {
  constructor(
    private readonly deposits: DepositRepository,
    private readonly recorder: MinedWithdrawalRecorderService,
    private readonly context: ServiceContext,
  ) {}

  /**
   * Records the withdrawals in a range of final blocks.
   * @param latest the newest final height: later than the range while the scanner catches up
   */
  async record(
    guard: ScanGuardRepository,
    node: EndpointClient,
    chain: string,
    from: bigint,
    newest: BlockPointer,
    latest: bigint,
  ): Promise<void> {
    const logs = await findLogs(node, from, newest.number);
    if (logs.length === 0) return;
    const payments = await this.deposits.paymentsOf(logs.map(({ wallet }) => wallet.toLowerCase()));
    for (const log of logs) {
      const paymentId = payments.get(log.wallet.toLowerCase());
      if (paymentId === undefined) continue;
      const block = await readPointer(node, log.blockNumber);
      if (!block) throw new Error(`${chain} has no block ${log.blockNumber}`);
      const otherChains = await this.deposits.otherChainsOf(paymentId, chain);
      const observed = await this.observe(
        { ...log, paymentId, chain, otherChains, blockTimestamp: block.timestamp },
        [newest.number, latest],
        node,
      );
      await guard.transaction((manager) => this.recorder.record(manager, observed));
    }
  }

  /**
   * Reads the holdings at a later final block where the node has pruned the state of the withdrawal's block; arrivals
   * in between then count as holdings.
   */
  private async observe(
    log: WithdrawnLog,
    later: readonly bigint[],
    node: EndpointClient,
  ): Promise<ObservedWithdrawal> {
    const [next, ...others] = later.filter((height) => height > log.blockNumber);
    try {
      return await this.recorder.observe(log, node, next === undefined);
    } catch (error) {
      const block = next === undefined ? null : await readPointer(node, next);
      if (!block) throw error;
      this.context.logger.warn(
        { err: error, chain: log.chain, block: log.blockNumber.toString() },
        'block state pruned',
      );
      const { number: blockNumber, timestamp: blockTimestamp } = block;
      return this.observe({ ...log, blockNumber, blockTimestamp }, others, node);
    }
  }
}

async function findLogs(
  node: EndpointClient,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<FoundLog[]> {
  const logs = await node.getLogs({ fromBlock, toBlock, event: WITHDRAWN, strict: true });
  return logs.map(({ address, args, transactionHash, blockNumber }) => ({
    wallet: address,
    nonce: args.nonce,
    acceptBlame: args.acceptBlame,
    transactionHash,
    blockNumber,
  }));
}
