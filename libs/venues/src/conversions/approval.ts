import type { Call } from '@bascule/solidity';
import { encodeFunctionData, erc20Abi, type Address } from 'viem';

const approve = (token: Address, spender: Address, amount: bigint): Call => ({
  target: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  value: 0n,
});

/**
 * Builds the calls that set an allowance of the Converter. It is first set to zero: anyone can make the Converter grant
 * one, and tokens like USDT refuse to change a non-zero allowance.
 */
export const approval = (token: Address, spender: Address, amount: bigint): Call[] => [
  approve(token, spender, 0n),
  approve(token, spender, amount),
];

/** Builds the call that ends an allowance of the Converter, of which less may have been used than was granted. */
export const revocation = (token: Address, spender: Address): Call => approve(token, spender, 0n);
