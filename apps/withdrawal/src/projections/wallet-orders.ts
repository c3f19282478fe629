import type { IntentOrder } from '@bascule/contracts';
import { MalformedJsonError, orderId, parseOrder } from '@bascule/solidity';
import { isAddress, isAddressEqual } from 'viem';
import type { Address } from 'viem';

/** Selects the wallet's own orders whose id matches their content. */
export const walletOrders = (reported: readonly IntentOrder[], wallet: Address): IntentOrder[] =>
  reported.filter((order) => isOwn(order, wallet));

function isOwn({ order: body, escrow, order_id: id }: IntentOrder, wallet: Address): boolean {
  if (!isAddress(escrow)) return false;
  try {
    const order = parseOrder(body);
    return isAddressEqual(order.wallet, wallet) && orderId(order, escrow) === id;
  } catch (error) {
    if (error instanceof MalformedJsonError) return false;
    throw error;
  }
}
