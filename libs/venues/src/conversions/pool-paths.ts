import { getAddress, type Address } from 'viem';
import type { TokenPair } from './venue.js';

/** Pools of a conversion: `tokens` has one entry more than `pools`. */
export interface PoolPath<P> {
  tokens: Address[];
  pools: P[];
}

/** Quote of one path. */
export interface PathQuote<P> {
  path: PoolPath<P>;
  /** Output for an input, or input for an output. */
  amount: bigint;
  /** Gas of the whole conversion. */
  gas: bigint;
}

/** Ends of a conversion in pools: a token may be known to them in several forms. */
interface PathEnds {
  inputs: readonly Address[];
  outputs: readonly Address[];
  intermediateTokens: readonly Address[];
}

const keyOf = (token: Address): string => token.toLowerCase();

export const pairsOf = <T>(items: readonly T[]): [T, T][] =>
  items.flatMap((first, i) => items.slice(i + 1).map((second): [T, T] => [first, second]));

/** Lists every path of one pool, or of two pools with an intermediate token. */
export function candidatePaths<P>(o: PathEnds & { pools: readonly P[] }): PoolPath<P>[] {
  const { inputs, outputs, pools } = o;
  const ends = new Set([...inputs, ...outputs].map(keyOf));
  if (ends.size < inputs.length + outputs.length) return [];
  const between = o.intermediateTokens.filter((token) => !ends.has(keyOf(token)));
  return inputs.flatMap((input) =>
    outputs.flatMap((output) => [
      ...pools.map((pool) => ({ tokens: [input, output], pools: [pool] })),
      ...between.flatMap((token) =>
        pools.flatMap((first) =>
          pools.map((second) => ({ tokens: [input, token, output], pools: [first, second] })),
        ),
      ),
    ]),
  );
}

/** Returns a test that is true when these pools cover every hop of a path. */
export function joins(
  pools: readonly TokenPair[],
): (path: Pick<PoolPath<unknown>, 'tokens'>) => boolean {
  const key = (pair: TokenPair): string => pair.map(keyOf).sort().join();
  const joined = new Set(pools.map(key));
  return (path) => hopsOf(path).every((hop) => joined.has(key(hop)));
}

/** Lists the tokens on either side of each pool of a path. */
export const hopsOf = ({ tokens }: Pick<PoolPath<unknown>, 'tokens'>): TokenPair[] =>
  tokens.flatMap((token, i) => {
    const next = tokens[i + 1];
    return next === undefined ? [] : [[token, next] as const];
  });

/** Lists the pairs of tokens that liquid pools join, directly or by an intermediate token. */
export async function convertiblePairs(o: {
  tokens: readonly Address[];
  intermediateTokens: readonly Address[];
  /** Forms in which pools may know a token. */
  formsOf: (token: Address) => readonly Address[];
  liquidPairs: (tokens: readonly Address[]) => Promise<readonly TokenPair[]>;
}): Promise<TokenPair[]> {
  const { tokens, intermediateTokens, formsOf } = o;
  const pooled = new Set(
    [...tokens.flatMap(formsOf), ...intermediateTokens].map((token) => getAddress(token)),
  );
  const isLiquid = joins(await o.liquidPairs([...pooled]));
  return pairsOf(tokens).filter(([input, output]) =>
    candidatePaths({
      inputs: formsOf(input),
      outputs: formsOf(output),
      intermediateTokens,
      pools: [null],
    }).some((path) => isLiquid(path)),
  );
}
