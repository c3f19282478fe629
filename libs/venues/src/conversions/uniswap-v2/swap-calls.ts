import type { Call } from '@bascule/solidity';
import { encodeFunctionData, maxUint256, zeroAddress, type Address } from 'viem';
import { approval } from '../approval.js';
import type { ConversionRequest } from '../venue.js';
import { router02Abi } from './abi.js';

/**
 * Builds the calls of a swap. The router measures what each pair receives, so that pairs take all of the input, whatever
 * a token deducts; nothing stays in the router.
 */
export function swapCalls(o: {
  request: ConversionRequest;
  /** Tokens between ERC-20 pairs, wrapped native currency in the place of native. */
  tokens: readonly Address[];
  router: Address;
  converter: Address;
  minOutput: bigint;
}): Call[] {
  const { inputToken, outputToken, amountIn } = o.request;
  const { router, minOutput } = o;
  const end = [o.tokens, o.converter, maxUint256] as const;
  if (inputToken === zeroAddress) {
    const data = encodeFunctionData({
      abi: router02Abi,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [minOutput, ...end],
    });
    return [{ target: router, data, value: amountIn }];
  }
  const data = encodeFunctionData({
    abi: router02Abi,
    functionName:
      outputToken === zeroAddress
        ? 'swapExactTokensForETHSupportingFeeOnTransferTokens'
        : 'swapExactTokensForTokensSupportingFeeOnTransferTokens',
    args: [amountIn, minOutput, ...end],
  });
  return [...approval(inputToken, router, amountIn), { target: router, data, value: 0n }];
}
