import { type Address, encodeFunctionData, type Hex } from 'viem';
import { type Call, type Declaration, declarationHash } from './declaration.js';
import { executorAbi, oneTimeWalletAbi } from './generated/abis.js';

/** Most bytes that the calls of a conversion add to a leg's call; measured on the venues, rounded up. */
export const CONVERSION_CALL_BYTES = 2_100;

export interface LegExecution {
  legIndex: number;
  /** Amount for the conversion, the bridge or the destination, in the input token's smallest unit. */
  amount: bigint;
  /** One for each declared fee. */
  fees: readonly bigint[];
  /** The conversion's route. */
  calls: readonly Call[];
}

/** An operator's call of the declared executor contract, which deploys the wallet when it is not there yet. */
export function legCall(
  declaration: Declaration,
  { legIndex, amount, fees, calls }: LegExecution,
): { to: Address; data: Hex } {
  const execution = encodeFunctionData({
    abi: oneTimeWalletAbi,
    functionName: 'execute',
    args: [declaration, BigInt(legIndex), amount, fees, calls],
  });
  const data = encodeFunctionData({
    abi: executorAbi,
    functionName: 'deployAndExecute',
    args: [declaration.factory, declarationHash(declaration), execution],
  });
  return { to: declaration.executor, data };
}
