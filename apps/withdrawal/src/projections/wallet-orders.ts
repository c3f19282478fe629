import type { IntentOrder } from '@bascule/contracts';
import { MalformedJsonError, orderId, parseOrder } from '@bascule/solidity';
import { isAddress, isAddressEqual } from 'viem';
import type { Address } from 'viem';

/** Those that are what they are said to be: the wallet's own, under the id that their content makes. */
export const walletOrders = (told: readonly IntentOrder[], wallet: Address): IntentOrder[] =>
  told.filter((order) => isOwn(order, wallet));

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
