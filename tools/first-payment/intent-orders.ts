import {
  developmentAddresses,
  intentEscrowAbi,
  orderId,
  ORDER_STATUSES,
  type Order,
} from '@bascule/solidity';
import { isAddressEqual, parseEventLogs, type Address } from 'viem';
import type { Chain } from './chain.js';
import { until } from './polling.js';

const { intentEscrow: address } = developmentAddresses;
const abi = intentEscrowAbi;

/** Waits until the wallet has opened an order in the escrow of its chain. */
export function openedOrder(chain: Chain, wallet: Address, fromBlock: bigint): Promise<Order> {
  return until(`an order of ${wallet}`, async () => {
    const logs = await chain.client.getLogs({ address, fromBlock });
    const opened = parseEventLogs({ abi, eventName: 'Open', logs });
    return opened.find(({ args }) => isAddressEqual(args.wallet, wallet))?.args.order ?? null;
  });
}

export async function orderStatus(chain: Chain, order: Order) {
  const args = [orderId(order, address)] as const;
  const status = await chain.client.readContract({ address, abi, functionName: 'statusOf', args });
  return ORDER_STATUSES[status];
}

/** Fillers of an order, one entry per fill on its destination. */
export async function fillersOf(destination: Chain, order: Order): Promise<Address[]> {
  const logs = await destination.client.getContractEvents({
    address,
    abi,
    eventName: 'Filled',
    args: { orderId: orderId(order, address) },
    fromBlock: 0n,
    strict: true,
  });
  return logs.map(({ args }) => args.filler);
}

/** Releases of an order by the escrow, one entry per event. */
export async function releasesOf(
  origin: Chain,
  order: Order,
): Promise<{ filler: Address; amount: bigint }[]> {
  const logs = await origin.client.getContractEvents({
    address,
    abi,
    eventName: 'Released',
    args: { orderId: orderId(order, address) },
    fromBlock: 0n,
    strict: true,
  });
  return logs.map(({ args: { filler, amount } }) => ({ filler, amount }));
}
