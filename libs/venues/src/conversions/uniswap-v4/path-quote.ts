import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import type { CallAnswer } from '../aggregated-calls.js';
import { v4QuoterAbi } from './abi.js';
import { pathKeysFromInput, pathKeysToOutput, type CurrencyPath } from './pools.js';

/** Functions of the quoter for a path of pools: the output for an input, or the input for an output. */
export type V4QuoterFunction = 'quoteExactInput' | 'quoteExactOutput';

/** Encodes the quoter's call for a path, of which the end with the given amount is named. */
export function encodePathQuote(
  functionName: V4QuoterFunction,
  path: CurrencyPath,
  exactAmount: bigint,
): Hex {
  const isInput = functionName === 'quoteExactInput';
  const exactCurrency = path.tokens.at(isInput ? 0 : -1);
  if (exactCurrency === undefined) throw new Error('a path has two tokens at least');
  const keys = isInput ? pathKeysFromInput(path) : pathKeysToOutput(path);
  const args = [{ exactCurrency, path: keys, exactAmount }] as const;
  return encodeFunctionData({ abi: v4QuoterAbi, functionName, args });
}

/**
 * Decodes the quoter's answer for a path: the amount, and the gas of its pools; null without an amount. The quoter itself
 * refuses a path on which liquidity ends.
 */
export function decodePathQuote(
  functionName: V4QuoterFunction,
  { success, returnData }: CallAnswer,
): { amount: bigint; poolGas: bigint } | null {
  if (!success || returnData === '0x') return null;
  const [amount, poolGas] = decodeFunctionResult({
    abi: v4QuoterAbi,
    functionName,
    data: returnData,
  });
  return amount === 0n ? null : { amount, poolGas };
}
