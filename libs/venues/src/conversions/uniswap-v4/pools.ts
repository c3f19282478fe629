import type { ChainView, UniswapV4Deployment, UniswapV4PoolKind } from '@bascule/chain';
import {
  concat,
  encodeAbiParameters,
  keccak256,
  numberToHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { BYTES_PER_CALL } from '../aggregated-calls.js';
import { pairsOf, type PoolPath } from '../pool-paths.js';
import type { TokenPair } from '../venue.js';
import { poolKeyParameters, stateViewAbi } from './abi.js';

/** Path between currencies of pools without hooks; the zero address is native currency. */
export type CurrencyPath = PoolPath<UniswapV4PoolKind>;

/** Pool and the currency on its other side, as quoter and router name them. */
interface PathKey extends UniswapV4PoolKind {
  intermediateCurrency: Address;
  hooks: Address;
  hookData: Hex;
}

const pathKey = (intermediateCurrency: Address, kind: UniswapV4PoolKind): PathKey => ({
  intermediateCurrency,
  ...kind,
  hooks: zeroAddress,
  hookData: '0x',
});

/** Names each pool by the currency that it gives, as a path from the input does. */
export const pathKeysFromInput = ({ tokens, pools }: CurrencyPath): PathKey[] =>
  tokens.slice(1).flatMap((given, i) => {
    const kind = pools[i];
    return kind ? [pathKey(given, kind)] : [];
  });

/** Names each pool by the currency that it takes, as a path to the output does. */
export const pathKeysToOutput = ({ tokens, pools }: CurrencyPath): PathKey[] =>
  pools.flatMap((kind, i) => {
    const taken = tokens[i];
    return taken === undefined ? [] : [pathKey(taken, kind)];
  });

/** Names a path: currency, fee and tick spacing (3 bytes each), currency, … */
export const routeOf = ({ tokens, pools }: CurrencyPath): Hex =>
  concat(
    tokens.flatMap((token, i) => {
      const kind = pools[i];
      const address = token.toLowerCase() as Hex;
      return kind
        ? [address, ...[kind.fee, kind.tickSpacing].map((n) => numberToHex(n, { size: 3 }))]
        : [address];
    }),
  );

/** Id of the pool of two currencies without hooks. */
function poolId([a, b]: TokenPair, kind: UniswapV4PoolKind): Hex {
  const [currency0, currency1] = BigInt(a) < BigInt(b) ? [a, b] : [b, a];
  const key = { currency0, currency1, ...kind, hooks: zeroAddress };
  return keccak256(encodeAbiParameters(poolKeyParameters, [key]));
}

/** Lists the currency pairs with a liquid pool. Throws when a call fails: a missing answer is no missing pool. */
export async function liquidPairs(
  { client }: ChainView,
  { stateView, pools }: Pick<UniswapV4Deployment, 'stateView' | 'pools'>,
  currencies: readonly Address[],
): Promise<TokenPair[]> {
  const candidates = pairsOf(currencies).flatMap((pair) => pools.map((kind) => ({ pair, kind })));
  const liquidity = await client.multicall({
    allowFailure: false,
    batchSize: BYTES_PER_CALL,
    contracts: candidates.map(({ pair, kind }) => ({
      address: stateView,
      abi: stateViewAbi,
      functionName: 'getLiquidity' as const,
      args: [poolId(pair, kind)] as const,
    })),
  });
  return [...new Set(candidates.flatMap(({ pair }, i) => (liquidity[i] ? [pair] : [])))];
}
