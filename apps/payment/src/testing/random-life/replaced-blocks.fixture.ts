import { rpcCall } from '@bascule/local-stack';
import { getAddress, isAddressEqual } from 'viem';
import type { Hash } from 'viem';
import { RELAY } from '../owner-withdrawal.fixture.js';
import type { PaymentStack } from '../payment-stack.fixture.js';

interface Replacement {
  depth: number;
  /** Whether transactions are lost, but those of withdrawals. */
  isLost: boolean;
  withdrawals: readonly Hash[];
  mine: () => Promise<void>;
}

/**
 * Replaces the newest blocks by empty ones, and mines their transactions again.
 * Withdrawals are sent once more after that: the node drops those that it has not mined.
 */
export async function replaceBlocks(
  stack: PaymentStack,
  { depth, isLost, withdrawals, mine }: Replacement,
): Promise<void> {
  const { node } = stack;
  const rpcUrl = stack.chain.anyNode.client.chain.rpcUrls.default.http[0] ?? '';
  const rawOf = (hash: Hash) => rpcCall(rpcUrl, 'eth_getRawTransactionByHash', [hash]);
  const head = await node.getBlockNumber();
  const replaced: unknown[] = [];
  for (let below = depth - 1; below >= 0; below -= 1) {
    const { transactions } = await node.getBlock({
      blockNumber: head - BigInt(below),
      includeTransactions: true,
    });
    for (const { from, hash } of transactions) {
      const isWithdrawal = isAddressEqual(getAddress(from), RELAY.address);
      if (!isLost || isWithdrawal) replaced.push(await rawOf(hash));
    }
  }
  const unmined = await Promise.all(withdrawals.map(rawOf));
  // The service may have sent its own again.
  const send = async (transactions: readonly unknown[]) => {
    for (const raw of transactions) {
      await rpcCall(rpcUrl, 'eth_sendRawTransaction', [raw]).catch(() => undefined);
    }
  };
  await stack.reorganise(depth);
  await send(replaced);
  await mine();
  await send(unmined);
}
