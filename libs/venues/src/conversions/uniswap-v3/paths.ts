import { encodePacked, isAddressEqual, type Address, type Hex } from 'viem';
import type { TokenPair } from '../venue.js';

/** Pools of a conversion: `tokens` has one entry more than `feeTiers`. */
export interface ConversionPath {
  tokens: Address[];
  feeTiers: number[];
}

/** Lists every path of one pool, or of two pools with an intermediate token. */
export function candidatePaths(o: {
  inputToken: Address;
  outputToken: Address;
  intermediateTokens: readonly Address[];
  feeTiers: readonly number[];
}): ConversionPath[] {
  const { inputToken, outputToken, feeTiers } = o;
  if (isAddressEqual(inputToken, outputToken)) return [];
  const between = o.intermediateTokens.filter(
    (token) => !isAddressEqual(token, inputToken) && !isAddressEqual(token, outputToken),
  );
  const direct = feeTiers.map((fee) => ({ tokens: [inputToken, outputToken], feeTiers: [fee] }));
  const indirect = between.flatMap((token) =>
    feeTiers.flatMap((first) =>
      feeTiers.map((second) => ({
        tokens: [inputToken, token, outputToken],
        feeTiers: [first, second],
      })),
    ),
  );
  return [...direct, ...indirect];
}

/** Encodes a path as Uniswap does: token, fee (3 bytes), token, … */
export function encodePath({ tokens, feeTiers }: ConversionPath): Hex {
  const types = tokens.flatMap((_, i) =>
    i < feeTiers.length ? ['address', 'uint24'] : ['address'],
  );
  const values = tokens.flatMap((token, i) => {
    const fee = feeTiers[i];
    return fee === undefined ? [token] : [token, fee];
  });
  return encodePacked(types, values);
}

/** Path from the output to the input, as `quoteExactOutput` expects it. */
export const reversed = ({ tokens, feeTiers }: ConversionPath): ConversionPath => ({
  tokens: tokens.toReversed(),
  feeTiers: feeTiers.toReversed(),
});

/** Returns a test that is true when these pools cover every hop of a path. */
export function joins(pools: readonly TokenPair[]): (path: ConversionPath) => boolean {
  const key = (a: Address, b: Address): string =>
    [a, b]
      .map((token) => token.toLowerCase())
      .sort()
      .join();
  const joined = new Set(pools.map(([a, b]) => key(a, b)));
  return ({ tokens }) =>
    tokens.every((token, i) => {
      const next = tokens[i + 1];
      return next === undefined || joined.has(key(token, next));
    });
}
