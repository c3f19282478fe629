import type { ChainView } from '@bascule/chain';
import { multicall3Abi, type Address, type Hex } from 'viem';

/** Size of a batch of reads: about six hundred, far below the gas limit of nodes for one call. */
export const BYTES_PER_CALL = 64 * 1024;

export interface CallAnswer {
  success: boolean;
  returnData: Hex;
}

/** Makes all calls in one request, each of which may fail. Throws when the node fails: that is no failed call. */
export const aggregatedCalls = (
  { client, definition }: ChainView,
  calls: readonly { target: Address; callData: Hex }[],
): Promise<readonly CallAnswer[]> =>
  client.readContract({
    address: definition.contracts.multicall3,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map((call) => ({ ...call, allowFailure: true }))],
  });
