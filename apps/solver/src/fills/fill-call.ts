import { intentEscrowAbi } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { encodeFunctionData } from 'viem';
import type { Address, Hex } from 'viem';

/** Builds the fill of an order; the escrow owes its input to `filler`. */
export const fillCall = (
  escrow: Address,
  order: Order,
  amount: bigint,
  filler: Address,
): { to: Address; data: Hex } => ({
  to: escrow,
  data: encodeFunctionData({
    abi: intentEscrowAbi,
    functionName: 'fill',
    args: [order, amount, filler],
  }),
});
