import type { Call } from '@bascule/solidity';
import { encodeFunctionData, zeroAddress, type Address, type Hex } from 'viem';
import { approval } from '../approval.js';
import type { ConversionRequest } from '../venue.js';
import { swapRouter02Abi } from './abi.js';
import { encodePath, type ConversionPath } from './paths.js';

/** SwapRouter02's placeholder for the router as recipient. */
const ROUTER_ITSELF: Address = '0x0000000000000000000000000000000000000002';

function swapData(o: {
  path: ConversionPath;
  recipient: Address;
  amountIn: bigint;
  minOutput: bigint;
}): Hex {
  const common = { recipient: o.recipient, amountIn: o.amountIn, amountOutMinimum: o.minOutput };
  const [tokenIn, tokenOut, ...rest] = o.path.tokens;
  const [fee] = o.path.pools;
  if (tokenIn && tokenOut && fee !== undefined && rest.length === 0) {
    return encodeFunctionData({
      abi: swapRouter02Abi,
      functionName: 'exactInputSingle',
      args: [{ ...common, tokenIn, tokenOut, fee, sqrtPriceLimitX96: 0n }],
    });
  }
  return encodeFunctionData({
    abi: swapRouter02Abi,
    functionName: 'exactInput',
    args: [{ ...common, path: encodePath(o.path) }],
  });
}

const batch = (...data: Hex[]): Hex =>
  encodeFunctionData({ abi: swapRouter02Abi, functionName: 'multicall', args: [data] });

/**
 * Builds the calls of a swap. The router wraps sent native currency and unwraps the swap's output, so no amount has to be
 * known in advance. It wraps only as much as the pool takes, and anyone can take the rest: `refundETH` returns it.
 */
export function swapCalls(o: {
  request: ConversionRequest;
  /** Between ERC-20 tokens, wrapped native currency in the place of native. */
  path: ConversionPath;
  router: Address;
  converter: Address;
  minOutput: bigint;
}): Call[] {
  const { inputToken, outputToken, amountIn } = o.request;
  const { path, minOutput, router } = o;
  const unwraps = outputToken === zeroAddress;
  const swap = swapData({
    path,
    amountIn,
    minOutput,
    recipient: unwraps ? ROUTER_ITSELF : o.converter,
  });
  if (inputToken === zeroAddress) {
    const refund = encodeFunctionData({ abi: swapRouter02Abi, functionName: 'refundETH' });
    return [{ target: router, data: batch(swap, refund), value: amountIn }];
  }
  const unwrap = encodeFunctionData({
    abi: swapRouter02Abi,
    functionName: 'unwrapWETH9',
    args: [minOutput, o.converter],
  });
  const data = unwraps ? batch(swap, unwrap) : swap;
  return [...approval(inputToken, router, amountIn), { target: router, data, value: 0n }];
}
