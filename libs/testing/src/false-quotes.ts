import { decodeFunctionResult, encodeFunctionResult, parseAbi, toFunctionSelector } from 'viem';
import type { Hex } from 'viem';
import { changedMulticall } from './changed-multicall.js';
import type { CallResult } from './changed-multicall.js';
import type { Lie } from './lying-node.js';

/** Functions of Uniswap's QuoterV2; both return the amount first. */
const quoterAbi = parseAbi([
  'function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)',
  'function quoteExactOutput(bytes path, uint256 amountOut) returns (uint256 amountIn, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)',
]);
const SELECTORS = quoterAbi.map(toFunctionSelector);

/**
 * Lies in `eth_call` about Uniswap's quoter: changes the amounts that it gives, and leaves other calls as they are.
 * @param change returns the amount to give, or null for a call that fails
 */
export const falseQuotes =
  (change: (amount: bigint) => bigint | null): Lie =>
  async ({ params: [call] }, honest) => {
    const answer = await honest();
    const { data } = call as { data?: Hex };
    const isAboutQuotes = SELECTORS.some((selector) => data?.includes(selector.slice(2)));
    if (data === undefined || !isAboutQuotes) return answer;
    return {
      result: changedMulticall(data, answer.result as Hex, (callData, result) =>
        changed(callData, result, change),
      ),
    };
  };

function changed(
  callData: Hex,
  result: CallResult,
  change: (amount: bigint) => bigint | null,
): CallResult {
  const called = callData.slice(0, 10);
  if (!result.success || !SELECTORS.some((selector) => selector === called)) return result;
  // Both functions have the same results.
  const quoted = { abi: quoterAbi, functionName: 'quoteExactInput' } as const;
  const [amount, ...rest] = decodeFunctionResult({ ...quoted, data: result.returnData });
  const given = change(amount);
  return given === null
    ? { success: false, returnData: '0x' }
    : { success: true, returnData: encodeFunctionResult({ ...quoted, result: [given, ...rest] }) };
}
