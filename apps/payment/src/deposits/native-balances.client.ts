import type { ChainDefinition, EndpointClient } from '@bascule/chain';
import { BaseError, LimitExceededRpcError, multicall3Abi, RpcError } from 'viem';
import type { Address } from 'viem';

/** Balances of one call: about 2 million gas and 110 KB. */
const WALLETS_AT_ONCE = 500;

/**
 * Reads native balances after a block, by one request for each 500 wallets.
 * @throws where the node has no state of the block
 */
export async function nativeBalances(
  node: EndpointClient,
  { contracts: { multicall3 } }: ChainDefinition,
  wallets: readonly Address[],
  blockNumber: bigint,
): Promise<bigint[]> {
  const balances: bigint[] = [];
  for (let start = 0; start < wallets.length; start += WALLETS_AT_ONCE) {
    const contracts = wallets
      .slice(start, start + WALLETS_AT_ONCE)
      .map((wallet) => ({ ...GET_BALANCE, address: multicall3, args: [wallet] as const }));
    const one = {
      allowFailure: false,
      batchSize: 0,
      blockNumber,
      multicallAddress: multicall3,
    } as const;
    balances.push(...(await node.multicall({ ...one, contracts })));
  }
  return balances;
}

/** Native balance after a block; null where the node has no state of it. */
export async function nativeBalanceAt(
  node: EndpointClient,
  address: Address,
  blockNumber: bigint,
): Promise<bigint | null> {
  try {
    return await node.getBalance({ address, blockNumber });
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

/** Whether a node has answered that it cannot do this, rather than not at all or not now. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const cause = error.walk((it) => it instanceof RpcError);
  return cause instanceof RpcError && !(cause instanceof LimitExceededRpcError);
}

const GET_BALANCE = { abi: multicall3Abi, functionName: 'getEthBalance' } as const;
