import { isAddressEqual, size, zeroAddress, type Address, type Hex } from 'viem';
import type { ConvertedTokens } from '../venue.js';
import { AggregatorMismatchError, type ToldSwap } from './aggregator.js';

/** Call of an aggregator's contract whose target, value and size are checked. */
export interface CheckedSwap {
  /** The contract that is called, and the only one that is granted an allowance. */
  target: Address;
  data: Hex;
  inputToken: Address;
  outputToken: Address;
  amountIn: bigint;
  /** Claims of the aggregator, which a simulation judges. */
  told: { amountOut: bigint; gas: bigint | undefined };
}

/** A selector at least; real ones have a few thousand bytes. */
const DATA_BYTES = { min: 4, max: 24 * 1024 };

/** Conversion that was asked for, and the only contract that may make it. */
export interface AllowedSwap extends ConvertedTokens {
  /** The aggregator's, by the chain's definition. */
  contract: Address | undefined;
  /** Input, where it was given. */
  input?: bigint | undefined;
}

/**
 * Checks a swap against what was asked for and what the chain's definition allows.
 * @throws AggregatorMismatchError where anything else would be called, approved or paid
 */
export function checkedSwap(
  name: string,
  { contract, inputToken, outputToken, input }: AllowedSwap,
  told: ToldSwap,
): CheckedSwap {
  const { target, data, amountIn, amountOut, gas } = told;
  const isNative = inputToken === zeroAddress;
  const isContract = (address: Address): boolean =>
    contract !== undefined && isAddressEqual(address, contract);
  const requireThat = (field: string, holds: boolean): void => {
    if (!holds) throw new AggregatorMismatchError(name, field);
  };
  requireThat('contract', isContract(target));
  requireThat('spender', isNative || told.spenders.every(isContract));
  requireThat('value', told.value === (isNative ? amountIn : 0n));
  requireThat('input', amountIn > 0n && amountIn === (input ?? amountIn));
  requireThat('output', amountOut > 0n);
  requireThat('size of data', size(data) >= DATA_BYTES.min && size(data) <= DATA_BYTES.max);
  return { target, data, inputToken, outputToken, amountIn, told: { amountOut, gas } };
}
