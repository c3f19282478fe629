import { rpcCall } from '@bascule/local-stack';
import type { Order } from '@bascule/solidity';
import type { Hex } from 'viem';
import { Chain } from '../../../tools/first-payment/chain.js';
import { until } from '../../../tools/first-payment/polling.js';
import type { StackFile } from '@bascule/composition';

/** An order can be filled no more, by the clock of each chain. */
export async function closeWindow(stack: StackFile, { fillDeadline }: Order): Promise<void> {
  for (const name of Object.keys(stack.chains)) {
    const { timestamp } = await new Chain(stack, name).client.getBlock();
    await new Miner(stack, name).passTime(Number(fillDeadline - timestamp) + 1);
  }
}

/** Controls the blocks and the clock of a chain of the stack. */
export class Miner {
  private readonly rpcUrl: string;

  constructor(stack: StackFile, chain: string) {
    this.rpcUrl = stack.chains[chain]?.rpc_url ?? '';
  }

  /** Stops automatic mining: blocks are mined only by `mine`. */
  async standStill(): Promise<void> {
    await rpcCall(this.rpcUrl, 'evm_setIntervalMining', [0]);
  }

  /** A block a second. */
  async goOn(): Promise<void> {
    await rpcCall(this.rpcUrl, 'evm_setIntervalMining', [1]);
  }

  async mine(blocks = 1): Promise<void> {
    await rpcCall(this.rpcUrl, 'anvil_mine', [`0x${blocks.toString(16)}`]);
  }

  /** A block of that time, in unix seconds, which is later than the last one's. */
  async mineAt(time: bigint): Promise<void> {
    await rpcCall(this.rpcUrl, 'evm_setNextBlockTimestamp', [Number(time)]);
    await this.mine();
  }

  async passTime(seconds: number): Promise<void> {
    await rpcCall(this.rpcUrl, 'evm_increaseTime', [seconds]);
    await this.mine();
  }

  /** Waits for transactions that no block has yet. */
  async waiting(count: number): Promise<void> {
    await until(`${count} transactions in the mempool`, async () => {
      const { pending } = (await rpcCall(this.rpcUrl, 'txpool_status')) as { pending: Hex };
      return Number(pending) >= count ? true : null;
    });
  }

  async height(): Promise<number> {
    return Number(await rpcCall(this.rpcUrl, 'eth_blockNumber'));
  }

  /** Returns a function that replaces all blocks since now by a longer, empty branch. */
  async branchOff(): Promise<() => Promise<void>> {
    const snapshot = await rpcCall(this.rpcUrl, 'evm_snapshot');
    return async () => {
      const abandoned = await this.height();
      await rpcCall(this.rpcUrl, 'evm_revert', [snapshot]);
      await rpcCall(this.rpcUrl, 'anvil_dropAllTransactions');
      await this.mine(abandoned - (await this.height()) + 2);
    };
  }
}
