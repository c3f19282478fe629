import type { ChainView, UniswapV2Deployment } from '@bascule/chain';
import { zeroAddress, type Address } from 'viem';
import { BYTES_PER_CALL } from '../aggregated-calls.js';
import { pairsOf } from '../pool-paths.js';
import type { TokenPair } from '../venue.js';
import { factoryAbi, pairAbi } from './abi.js';

/** Lists the token pairs with reserves. Throws when a call fails: a missing answer is no missing pair. */
export async function liquidPairs(
  { client }: ChainView,
  { factory }: Pick<UniswapV2Deployment, 'factory'>,
  tokens: readonly Address[],
): Promise<TokenPair[]> {
  const candidates = pairsOf(tokens);
  const addresses = await client.multicall({
    allowFailure: false,
    batchSize: BYTES_PER_CALL,
    contracts: candidates.map((pair) => ({
      address: factory,
      abi: factoryAbi,
      functionName: 'getPair' as const,
      args: pair,
    })),
  });
  const pairs = candidates.flatMap((pair, i) => {
    const address = addresses[i];
    return address === undefined || address === zeroAddress ? [] : [{ pair, address }];
  });
  const reserves = await client.multicall({
    allowFailure: false,
    batchSize: BYTES_PER_CALL,
    contracts: pairs.map(({ address }) => ({
      address,
      abi: pairAbi,
      functionName: 'getReserves' as const,
    })),
  });
  return pairs.flatMap(({ pair }, i) => (reserves[i]?.[0] ? [pair] : []));
}
