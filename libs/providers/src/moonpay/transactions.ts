import type { OnrampOrder, OnrampOrderReference } from '../port/onramp-provider.js';
import { orderOfAttempts, readAttempts, readReason, type Attempt } from '../wire/attempts.js';
import { told, type JsonObject } from '../wire/json-object.js';
import type { LockedTerms } from '../wire/locked-terms.js';
import { transactionStatus } from './statuses.js';

/** An order with the terms that its checkout locked. */
export interface LockedOrder extends OnrampOrderReference {
  locked: LockedTerms;
}

const readTransaction =
  ({ paymentId, locked }: LockedOrder) =>
  (item: JsonObject): Attempt => ({
    status: transactionStatus(item.string('status')),
    isNamedSo:
      item.is('externalTransactionId', paymentId) &&
      told(() => item.object('currency').is('code', locked.code)) === true,
    address: told(() => item.string('walletAddress')),
    amount: told(() => item.decimal('quoteCurrencyAmount')),
    startedAt: told(() => item.date('createdAt')),
    transactionHash: told(() => item.string('cryptoTransactionId')),
    reason: readReason(item, 'failureReason'),
  });

/** Reads the state of an order from a transaction, or from a list of the customer's attempts: both are documented. */
export const readOrder = (body: unknown, order: LockedOrder): OnrampOrder =>
  orderOfAttempts(readAttempts(Array.isArray(body) ? body : [body], readTransaction(order)), order);
