import { legCall } from '@bascule/solidity';
import type { Call, Declaration } from '@bascule/solidity';
import type { Address, Hex } from 'viem';
import type { LegInput } from './leg-input.js';

/** The call of the executor contract that executes a leg, and deploys the wallet when it is not there yet. */
export function legTransaction(
  declaration: Declaration,
  legIndex: number,
  { amount, fees }: LegInput,
  calls: readonly Call[],
): { to: Address; data: Hex } {
  return legCall(declaration, { legIndex, amount, fees, calls });
}
