import type { ChainView, UniswapV2Deployment } from '@bascule/chain';
import { decodeFunctionResult, encodeFunctionData, isAddressEqual } from 'viem';
import { aggregatedCalls, type CallAnswer } from '../aggregated-calls.js';
import { hopsOf, type PoolPath } from '../pool-paths.js';
import type { TokenPair } from '../venue.js';
import { pairAbi } from './abi.js';
import { ordered, pairAddress } from './pair-address.js';

/** Reserves of a pair in the direction of a swap. */
export interface Reserves {
  input: bigint;
  output: bigint;
}

/** Reads the reserves along each path in one request; null for a path that lacks a pair. Throws when the node fails. */
export async function reservesOfPaths(
  chain: ChainView,
  deployment: Pick<UniswapV2Deployment, 'factory' | 'pairInitCodeHash'>,
  paths: readonly PoolPath<unknown>[],
): Promise<(Reserves[] | null)[]> {
  const hops = paths.map((path) => hopsOf(path));
  const addresses = hops.map((ofPath) => ofPath.map((hop) => pairAddress(deployment, hop)));
  const pairs = [...new Set(addresses.flat())];
  const callData = encodeFunctionData({ abi: pairAbi, functionName: 'getReserves' });
  const answers = await aggregatedCalls(
    chain,
    pairs.map((target) => ({ target, callData })),
  );
  const answerOf = new Map(pairs.map((pair, i) => [pair, answers[i]] as const));
  return hops.map((ofPath, path) => {
    const found = ofPath.flatMap((hop, i) => {
      const address = addresses[path]?.[i];
      const answer = address && answerOf.get(address);
      return (answer && decodeReserves(hop, answer)) ?? [];
    });
    return found.length === ofPath.length ? found : null;
  });
}

/** Decodes the reserves of a pair; null where there is no pair, which answers nothing. */
function decodeReserves(hop: TokenPair, { success, returnData }: CallAnswer): Reserves | null {
  if (!success || returnData === '0x') return null;
  const [reserve0, reserve1] = decodeFunctionResult({
    abi: pairAbi,
    functionName: 'getReserves',
    data: returnData,
  });
  return isAddressEqual(ordered(hop)[0], hop[0])
    ? { input: reserve0, output: reserve1 }
    : { input: reserve1, output: reserve0 };
}
