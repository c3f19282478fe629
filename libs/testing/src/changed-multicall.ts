import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionResult,
  multicall3Abi,
} from 'viem';
import type { Hex } from 'viem';

export interface CallResult {
  success: boolean;
  returnData: Hex;
}

/**
 * Changes results within a multicall.
 * @param data call of Multicall3's `aggregate3`
 * @param result honest result of that call
 * @param change returns the result to give for a call, by its data
 */
export function changedMulticall(
  data: Hex,
  result: Hex,
  change: (callData: Hex, honest: CallResult) => CallResult,
): Hex {
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data });
  if (functionName !== 'aggregate3') throw new Error(`expected aggregate3, found ${functionName}`);
  const honest = decodeFunctionResult({ abi: multicall3Abi, functionName, data: result });
  const given = honest.map((each, index) => change(args[0][index]?.callData ?? '0x', each));
  return encodeFunctionResult({ abi: multicall3Abi, functionName, result: given });
}
