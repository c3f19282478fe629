import { rpcCall } from '@bascule/local-stack';

/** Replaces the last blocks of a test chain by empty ones. */
export async function reorganise(rpcUrl: string, depth: number): Promise<void> {
  await rpcCall(rpcUrl, 'anvil_reorg', [depth, []]);
}

/** Replaces a block and all after it by empty ones; no block is mined while they are counted. */
export async function reorganiseFrom(rpcUrl: string, block: bigint): Promise<void> {
  await rpcCall(rpcUrl, 'evm_setIntervalMining', [0]);
  await rpcCall(rpcUrl, 'evm_setAutomine', [false]);
  const head = BigInt(String(await rpcCall(rpcUrl, 'eth_blockNumber')));
  await reorganise(rpcUrl, Number(head - block) + 1);
  await rpcCall(rpcUrl, 'evm_setAutomine', [true]);
  await rpcCall(rpcUrl, 'evm_setIntervalMining', [1]);
}
