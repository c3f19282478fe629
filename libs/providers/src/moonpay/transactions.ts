import type { TokenIdentifier } from '@bascule/contracts';
import type {
  OnrampOrder,
  OnrampOrderReference,
  OnrampOrderStatus,
} from '../port/onramp-provider.js';
import { JsonObject } from '../wire/json-object.js';
import { wholeUnits } from '../wire/token-units.js';
import { transactionStatus } from './statuses.js';

/** Order of the states: the transaction that got furthest tells the state of its order. */
const PROGRESS: Readonly<Record<OnrampOrderStatus, number>> = {
  DELIVERED: 4,
  PROCESSING: 3,
  // May be paid, so it hides a failed attempt.
  UNKNOWN: 2,
  AWAITING_PAYMENT: 1,
  CREATED: 0,
  FAILED: 0,
  REFUNDED: 0,
};

const HASH = /^0x[0-9a-f]{64}$/i;

function readTransaction(item: JsonObject, tokenDecimals: number): OnrampOrder {
  const status = transactionStatus(item.string('status'));
  const hash = item.has('cryptoTransactionId') ? item.string('cryptoTransactionId') : '';
  return {
    status,
    ...(HASH.test(hash) && { transactionHash: hash.toLowerCase() as `0x${string}` }),
    ...(status === 'DELIVERED' && {
      deliveredAmount: wholeUnits(item, 'quoteCurrencyAmount', tokenDecimals),
    }),
    ...(item.has('failureReason') && { reason: item.message('failureReason') }),
  };
}

/** One transaction, or a list of the customer's attempts: MoonPay's documentation has both. */
export const listTransactions = (body: unknown): JsonObject[] =>
  Array.isArray(body) ? JsonObject.listOf(body) : [JsonObject.of(body)];

/** Whether a transaction belongs to the order: anybody can start one under its id, but not to its wallet. */
export const isOfOrder =
  (order: OnrampOrderReference, tokens: ReadonlyMap<string, TokenIdentifier>) =>
  (item: JsonObject): boolean =>
    item.string('externalTransactionId') === order.paymentId &&
    item.string('walletAddress').toLowerCase() === order.depositAddress.toLowerCase() &&
    tokens.get(item.object('currency').string('code')) === order.token.toLowerCase();

/** State of an order by its transactions, at least one. */
export const orderOf = (transactions: readonly JsonObject[], tokenDecimals: number): OnrampOrder =>
  transactions
    .map((item) => readTransaction(item, tokenDecimals))
    .reduce((furthest, each) =>
      PROGRESS[each.status] > PROGRESS[furthest.status] ? each : furthest,
    );
