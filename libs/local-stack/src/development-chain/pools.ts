import { developmentAddresses } from '@bascule/solidity';
import { type Address, encodeAbiParameters, getContractAddress, keccak256 } from 'viem';

const { usdc, usdt, wbtc, weth, uniswapV3Factory } = developmentAddresses;

/** Hash of the pool's init code in Uniswap V3's packages, the same on every chain. */
const POOL_INIT_CODE_HASH = '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54';
const MAX_TICK = 887_272;
/** Tick spacings by fee (hundredths of a basis point). */
const TICK_SPACING = { 500: 10, 3000: 60 } as const;

export type Fee = keyof typeof TICK_SPACING;

/** A token and how much of it, in its smallest unit. */
export interface Side {
  token: Address;
  amount: bigint;
}

/** Both sides of a pool; its token0 has the lower address. */
export interface Sides {
  token0: Side;
  token1: Side;
}

/** Liquidity over the whole range of prices. */
export interface WholeRange extends Sides {
  fee: Fee;
  tickSpacing: number;
  tickLower: number;
  tickUpper: number;
  /** The square root of token1 for one token0, with 96 fractional bits. */
  sqrtPriceX96: bigint;
}

/** Amounts of equal value give the price: ETH 3,000 USD, BTC 100,000 USD, EUR 1.16 USD. */
export interface Pool extends WholeRange {
  name: string;
  address: Address;
}

/** Amount of a token with six decimals. */
export const dollars = (token: Address, amount: bigint): Side => ({
  token,
  amount: amount * 10n ** 6n,
});
export const ether = (amount: bigint, token: Address = weth): Side => ({
  token,
  amount: amount * 10n ** 18n,
});
const bitcoin = (amount: bigint): Side => ({ token: wbtc, amount: amount * 10n ** 8n });

export const developmentPools: readonly Pool[] = [
  pool('USDC/WETH', 500, dollars(usdc, 9_000_000n), ether(3_000n)),
  pool('USDC/WETH', 3000, dollars(usdc, 6_000_000n), ether(2_000n)),
  pool('USDC/USDT', 500, dollars(usdc, 10_000_000n), dollars(usdt, 10_000_000n)),
  pool('USDC/WBTC', 3000, dollars(usdc, 6_000_000n), bitcoin(60n)),
  pool('WETH/WBTC', 3000, ether(2_000n), bitcoin(60n)),
];

function pool(pair: string, fee: Fee, a: Side, b: Side): Pool {
  const range = wholeRange(fee, a, b);
  const { token0, token1 } = range;
  const address = poolAddress(token0.token, token1.token, fee);
  return { name: `${pair} ${fee}`, address, ...range };
}

export function inOrder(a: Side, b: Side): Sides {
  return BigInt(a.token) < BigInt(b.token) ? { token0: a, token1: b } : { token0: b, token1: a };
}

/** Range of a pool whose price follows from amounts of equal value. */
export function wholeRange(fee: Fee, a: Side, b: Side): WholeRange {
  const { token0, token1 } = inOrder(a, b);
  const tickSpacing = TICK_SPACING[fee];
  const tick = Math.floor(MAX_TICK / tickSpacing) * tickSpacing;
  return {
    fee,
    tickSpacing,
    token0,
    token1,
    tickLower: -tick,
    tickUpper: tick,
    sqrtPriceX96: squareRoot((token1.amount << 192n) / token0.amount),
  };
}

function poolAddress(token0: Address, token1: Address, fee: number): Address {
  const key = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }] as const;
  return getContractAddress({
    opcode: 'CREATE2',
    from: uniswapV3Factory,
    salt: keccak256(encodeAbiParameters(key, [token0, token1, fee])),
    bytecodeHash: POOL_INIT_CODE_HASH,
  });
}

/** The integer square root of `value`, rounded down (Newton's method). */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
