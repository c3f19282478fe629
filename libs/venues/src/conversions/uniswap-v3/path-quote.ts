import { decodeFunctionResult } from 'viem';
import type { CallAnswer } from '../aggregated-calls.js';
import { quoterV2Abi } from './abi.js';

/** Prices at which a swap without its own limit stops: one inside each bound of TickMath, as in router and quoter. */
const PRICE_LIMITS: ReadonlySet<bigint> = new Set([
  4_295_128_740n,
  1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n,
]);

/** Functions of the quoter for a path of pools: the output for an input, or the input for an output. */
export type QuoterFunction = 'quoteExactInput' | 'quoteExactOutput';

/**
 * Decodes the quoter's answer for a path: the amount, and the gas of its pools; null without an amount. A pool that ends at the price limit ran out of
 * liquidity: the quoter still answers, but the rest of the input would buy nothing or stay in the router, so this returns
 * null as well.
 */
export function decodePathQuote(
  functionName: QuoterFunction,
  answer: CallAnswer,
): { amount: bigint; poolGas: bigint } | null {
  if (!answer.success || answer.returnData === '0x') return null;
  const [amount, finalPrices, , poolGas] = decodeFunctionResult({
    abi: quoterV2Abi,
    functionName,
    data: answer.returnData,
  });
  if (amount === 0n || finalPrices.some((price) => PRICE_LIMITS.has(price))) return null;
  return { amount, poolGas };
}
