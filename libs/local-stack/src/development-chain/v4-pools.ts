import { developmentAddresses } from '@bascule/solidity';
import { type Address, encodeAbiParameters, type Hex, keccak256, zeroAddress } from 'viem';
import { dollars, ether, type Fee, type Side, wholeRange, type WholeRange } from './pools.js';

const { eurc, usdc, usdt } = developmentAddresses;

/** Types of a pool's key. */
const KEY = ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type }));

/** Names a pool of Uniswap V4; the zero address is native currency. */
export interface PoolKey {
  currency0: Address;
  currency1: Address;
  fee: number;
  tickSpacing: number;
  hooks: Address;
}

/** Pool of Uniswap V4 without hooks. Its amounts are of equal value, at the prices of the pools of V3. */
export interface V4Pool extends WholeRange {
  name: string;
  key: PoolKey;
  id: Hex;
}

/** Pools of which V3 has none, for EURC, and one at a higher fee than V3's. */
export const developmentV4Pools: readonly V4Pool[] = [
  pool('EURC/USDC', 500, dollars(eurc, 1_000_000n), dollars(usdc, 1_160_000n)),
  pool('ETH/EURC', 3000, ether(116n, zeroAddress), dollars(eurc, 300_000n)),
  pool('USDC/USDT', 3000, dollars(usdc, 2_000_000n), dollars(usdt, 2_000_000n)),
];

function pool(pair: string, fee: Fee, a: Side, b: Side): V4Pool {
  const range = wholeRange(fee, a, b);
  const { token0, token1, tickSpacing } = range;
  const currencies = { currency0: token0.token, currency1: token1.token };
  const key: PoolKey = { ...currencies, fee, tickSpacing, hooks: zeroAddress };
  return { name: `${pair} ${fee} of V4`, key, id: poolId(key), ...range };
}

function poolId({ currency0, currency1, fee, tickSpacing, hooks }: PoolKey): Hex {
  return keccak256(encodeAbiParameters(KEY, [currency0, currency1, fee, tickSpacing, hooks]));
}
