import { compareDecimals, mulDecimals } from '@bascule/amounts';
import type { OnrampOrder, OnrampOrderReference } from '../port/onramp-provider.js';
import { furthest } from '../wire/attempts.js';
import { JsonObject } from '../wire/json-object.js';
import type { LockedTerms } from '../wire/locked-terms.js';
import { wholeUnits } from '../wire/token-units.js';
import { transactionStatus } from './statuses.js';

/** An order with the terms that its checkout locked. */
export interface LockedOrder extends OnrampOrderReference {
  locked: LockedTerms;
}

const HASH = /^0x[0-9a-f]{64}$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/;
/** Least share of the locked amount that a transaction of the order buys. */
const LEAST_SHARE = '0.99';

/**
 * Whether a transaction belongs to the order; undefined where it does not tell, or in other words. Anybody can start one
 * under the order's id on a page of his own: to another address, or for less.
 */
function isOfOrder(item: JsonObject, order: LockedOrder): boolean | undefined {
  const address = item.optional('walletAddress')?.toLowerCase();
  if (address === undefined || !ADDRESS.test(address)) return undefined;
  if (address !== order.depositAddress.toLowerCase()) return false;
  if (item.has('quoteCurrencyAmount')) {
    const least = mulDecimals(order.locked.amount, LEAST_SHARE);
    if (compareDecimals(item.decimal('quoteCurrencyAmount'), least) < 0) return false;
  }
  const isNamedSo =
    item.is('externalTransactionId', order.paymentId) &&
    item.has('currency') &&
    item.object('currency').is('code', order.locked.code);
  return isNamedSo ? true : undefined;
}

function readTransaction(item: JsonObject, tokenDecimals: number): OnrampOrder {
  const status = transactionStatus(item.string('status'));
  const reason = item.has('failureReason') && item.isText('failureReason');
  const told = {
    ...(reason && { reason: item.message('failureReason') }),
    // The customer started it in time or not; when the money arrived is not told.
    ...((status === 'PROCESSING' || status === 'DELIVERED') && { paidAt: item.date('createdAt') }),
  };
  if (status !== 'DELIVERED') return { status, ...told };
  const hash = item.optional('cryptoTransactionId') ?? '';
  // Without the transaction on the chain, it is still asked for.
  if (!HASH.test(hash)) return { status: 'PROCESSING', ...told };
  return {
    status,
    ...told,
    transactionHash: hash.toLowerCase() as `0x${string}`,
    deliveredAmount: wholeUnits(item, 'quoteCurrencyAmount', tokenDecimals),
  };
}

const startedAt = (item: JsonObject): number =>
  item.has('createdAt') ? item.date('createdAt').getTime() : 0;

/** Reads the state of an order from a transaction, or from a list of the customer's attempts: both are documented. */
export function readOrder(body: unknown, order: LockedOrder): OnrampOrder {
  const started = Array.isArray(body) ? JsonObject.listOf(body) : [JsonObject.of(body)];
  const attempts = started
    .toSorted((one, other) => startedAt(other) - startedAt(one))
    .flatMap((item): OnrampOrder[] => {
      const isOurs = isOfOrder(item, order);
      if (isOurs === undefined) return [{ status: 'UNKNOWN' }];
      return isOurs ? [readTransaction(item, order.tokenDecimals)] : [];
    });
  return furthest(attempts) ?? { status: 'CREATED' };
}
