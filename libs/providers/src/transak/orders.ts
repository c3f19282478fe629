import type { OnrampOrder, OnrampOrderReference } from '../port/onramp-provider.js';
import { orderOfAttempts, readAttempts, readReason, type Attempt } from '../wire/attempts.js';
import { told, type JsonObject } from '../wire/json-object.js';
import type { LockedTerms } from '../wire/locked-terms.js';
import { ORDER_STATES, statusOfOrder } from './statuses.js';

/** An order with the terms that its checkout locked. */
interface LockedOrder extends OnrampOrderReference {
  locked: LockedTerms;
}

/** Orders of one payment that are read: one for each page that its customer has used. */
const MAX_ORDERS = 100;

/** Query for all orders of a payment, newest first. */
export const ordersQuery = (paymentId: string): string =>
  new URLSearchParams({
    'filter[partnerOrderId]': paymentId,
    'filter[productsAvailed]': JSON.stringify(['BUY']),
    'filter[status]': JSON.stringify(ORDER_STATES),
    'filter[sortOrder]': 'desc',
    limit: String(MAX_ORDERS),
    skip: '0',
  }).toString();

/** The filter finds orders by our id exactly; the documented answer does not always repeat it. */
const isNamed = (item: JsonObject, { paymentId, locked }: LockedOrder): boolean =>
  (!item.has('partnerOrderId') || item.is('partnerOrderId', paymentId)) &&
  item.is('isBuyOrSell', 'BUY') &&
  item.is('cryptoCurrency', locked.code) &&
  item.is('network', locked.network);

const readItem =
  (order: LockedOrder) =>
  (item: JsonObject): Attempt => ({
    status: statusOfOrder(item.string('status')),
    isNamedSo: isNamed(item, order),
    address: told(() => item.string('walletAddress')),
    amount: told(() => item.decimal('cryptoAmount')),
    startedAt: told(() => item.date('createdAt')),
    transactionHash: told(() => item.string('transactionHash')),
    reason: readReason(item, 'statusReason'),
  });

/** Reads the state of a payment's order from the list of its orders at Transak. @throws UnreadableAnswer */
export function readOrders(answer: JsonObject, order: LockedOrder): OnrampOrder {
  const items = answer.list('data');
  const current = orderOfAttempts(readAttempts(items, readItem(order)), order);
  const isPaid = current.status === 'PROCESSING' || current.status === 'DELIVERED';
  // A paid one may be among those that are not listed.
  return isPaid || items.length < MAX_ORDERS ? current : { status: 'UNKNOWN' };
}
