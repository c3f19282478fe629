import type { ChainView, UniswapV3Deployment } from '@bascule/chain';
import { zeroAddress, type Address } from 'viem';
import { BYTES_PER_CALL } from '../aggregated-calls.js';
import { pairsOf } from '../pool-paths.js';
import type { TokenPair } from '../venue.js';
import { factoryAbi, poolAbi } from './abi.js';

/**
 * Lists the token pairs with a liquid pool in any fee tier. Throws when a call fails: a missing answer is no missing
 * pool.
 */
export async function liquidPairs(
  { client }: ChainView,
  { factory, feeTiers }: Pick<UniswapV3Deployment, 'factory' | 'feeTiers'>,
  tokens: readonly Address[],
): Promise<TokenPair[]> {
  const candidates = pairsOf(tokens).flatMap((pair) => feeTiers.map((fee) => ({ pair, fee })));
  const addresses = await client.multicall({
    allowFailure: false,
    batchSize: BYTES_PER_CALL,
    contracts: candidates.map(({ pair, fee }) => ({
      address: factory,
      abi: factoryAbi,
      functionName: 'getPool' as const,
      args: [...pair, fee] as const,
    })),
  });
  const pools = candidates.flatMap(({ pair }, i) => {
    const address = addresses[i];
    return address === undefined || address === zeroAddress ? [] : [{ pair, address }];
  });
  const liquidity = await client.multicall({
    allowFailure: false,
    batchSize: BYTES_PER_CALL,
    contracts: pools.map(({ address }) => ({
      address,
      abi: poolAbi,
      functionName: 'liquidity' as const,
    })),
  });
  return [...new Set(pools.flatMap(({ pair }, i) => (liquidity[i] ? [pair] : [])))];
}
