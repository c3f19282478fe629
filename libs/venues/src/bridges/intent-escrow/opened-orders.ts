import { intentEscrowAbi, orderId } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { isAddressEqual, parseEventLogs } from 'viem';
import type { Address, Hex, Log } from 'viem';

export interface OpenedOrder {
  id: Hex;
  order: Order;
  blockNumber: bigint | null;
}

/** The orders that these logs opened in the escrow; what others wrote does not count. */
export function openedOrders(logs: readonly Log[], escrow: Address): OpenedOrder[] {
  return parseEventLogs({ abi: intentEscrowAbi, eventName: 'Open', logs: [...logs] })
    .filter(({ address }) => isAddressEqual(address, escrow))
    .map(({ args, blockNumber }) => ({
      id: orderId(args.order, escrow),
      order: args.order,
      blockNumber,
    }));
}
