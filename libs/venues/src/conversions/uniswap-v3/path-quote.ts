import { decodeFunctionResult, type Hex } from 'viem';
import type { ConversionPath } from '../venue.js';
import { quoterV2Abi } from './abi.js';

/** Where a swap without a price limit of its own stops: TickMath's bounds, one inside each, as router and quoter have it. */
const PRICE_LIMITS: ReadonlySet<bigint> = new Set([
  4_295_128_740n,
  1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n,
]);

export interface PathQuote {
  path: ConversionPath;
  amountOut: bigint;
  poolGas: bigint;
}

/**
 * What the quoter says a path gives; null when that is nothing. A pool that ends at the limit ran out of liquidity and
 * takes less than it is given. The quoter does not mind, but the rest of the input would buy nothing, or stay in the
 * router when it is an intermediate token: that is no quote either.
 */
export function decodePathQuote(
  path: ConversionPath,
  answer: { success: boolean; returnData: Hex },
): PathQuote | null {
  if (!answer.success || answer.returnData === '0x') return null;
  const [amountOut, finalPrices, , poolGas] = decodeFunctionResult({
    abi: quoterV2Abi,
    functionName: 'quoteExactInput',
    data: answer.returnData,
  });
  if (amountOut === 0n || finalPrices.some((price) => PRICE_LIMITS.has(price))) return null;
  return { path, amountOut, poolGas };
}
