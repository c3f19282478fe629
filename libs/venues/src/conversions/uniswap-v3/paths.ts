import { encodePacked, type Hex } from 'viem';
import type { PoolPath } from '../pool-paths.js';

/** Path whose pools are named by their fee tiers. */
export type ConversionPath = PoolPath<number>;

/** Encodes a path as Uniswap does: token, fee (3 bytes), token, … */
export function encodePath({ tokens, pools }: ConversionPath): Hex {
  const types = tokens.flatMap((_, i) => (i < pools.length ? ['address', 'uint24'] : ['address']));
  const values = tokens.flatMap((token, i) => {
    const fee = pools[i];
    return fee === undefined ? [token] : [token, fee];
  });
  return encodePacked(types, values);
}

/** Path from the output to the input, as `quoteExactOutput` expects it. */
export const reversed = ({ tokens, pools }: ConversionPath): ConversionPath => ({
  tokens: tokens.toReversed(),
  pools: pools.toReversed(),
});
