import type { Call } from '@bascule/solidity';
import { encodeFunctionData, erc20Abi, zeroAddress, type Address } from 'viem';
import { approval, revocation } from '../approval.js';
import type { CheckedSwap } from './checked-swap.js';

/**
 * Builds the calls of a swap. The aggregator's own minimum is fixed in its data, so the last call enforces that of the
 * quote: the Converter sends the minimum to itself, which reverts where it holds less.
 */
export function aggregatorCalls(
  swap: CheckedSwap,
  { converter, minOutput }: { converter: Address; minOutput: bigint },
): Call[] {
  const { target, data, inputToken, outputToken, amountIn } = swap;
  const holdsMinimum = transferToItself(outputToken, converter, minOutput);
  if (inputToken === zeroAddress) return [{ target, data, value: amountIn }, holdsMinimum];
  return [
    ...approval(inputToken, target, amountIn),
    { target, data, value: 0n },
    revocation(inputToken, target),
    holdsMinimum,
  ];
}

const transferToItself = (token: Address, account: Address, amount: bigint): Call =>
  token === zeroAddress
    ? { target: account, data: '0x', value: amount }
    : {
        target: token,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transfer',
          args: [account, amount],
        }),
        value: 0n,
      };
