import type { Chain } from '@bascule/chain';
import { ORDER_STATUSES, attesterOracleAbi, intentEscrowAbi, orderId } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { parseAbi } from 'viem';
import type { Address } from 'viem';
import type { OrderState } from './refundability.js';

const clockAbi = parseAbi(['function getCurrentBlockTimestamp() view returns (uint256)']);

/** Reads an order's state on its origin chain, every field from the same newest block. */
export async function readOrderState(
  { client, definition }: Chain,
  escrow: Address,
  order: Order,
): Promise<OrderState> {
  const id = orderId(order, escrow);
  const [position, [outcome], now] = await client.multicall({
    allowFailure: false,
    contracts: [
      { address: escrow, abi: intentEscrowAbi, functionName: 'statusOf', args: [id] },
      { address: order.oracle, abi: attesterOracleAbi, functionName: 'outcomeOf', args: [id] },
      {
        address: definition.contracts.multicall3,
        abi: clockAbi,
        functionName: 'getCurrentBlockTimestamp',
      },
    ],
  });
  const status = ORDER_STATUSES[position];
  if (status === undefined) throw new Error(`unknown order status ${position}`);
  return { status, outcome, now };
}
