import { intentEscrowAbi, orderId } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { isAddressEqual, parseEventLogs } from 'viem';
import type { Address, Hex, Log } from 'viem';

export interface OpenedOrder {
  id: Hex;
  order: Order;
  blockNumber: bigint | null;
}

/** Parses the orders that these logs opened in the escrow; logs of other contracts are ignored. */
export function openedOrders(logs: readonly Log[], escrow: Address): OpenedOrder[] {
  return parseEventLogs({ abi: intentEscrowAbi, eventName: 'Open', logs: [...logs] })
    .filter(({ address }) => isAddressEqual(address, escrow))
    .map(({ args, blockNumber }) => ({
      id: orderId(args.order, escrow),
      order: args.order,
      blockNumber,
    }));
}
