import { decodeFunctionResult, type Hex } from 'viem';
import type { ConversionPath } from '../venue.js';
import { quoterV2Abi } from './abi.js';

/** Prices at which a swap without its own limit stops: one inside each bound of TickMath, as in router and quoter. */
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
 * Decodes the quoter's answer for a path; null without an output. A pool that ends at the price limit ran out of
 * liquidity: the quoter still answers, but the rest of the input would buy nothing or stay in the router, so this returns
 * null as well.
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
