import type { OnrampOrder, OnrampOrderReference } from '../port/onramp-provider.js';
import { furthest } from '../wire/attempts.js';
import type { JsonObject } from '../wire/json-object.js';
import type { LockedTerms } from '../wire/locked-terms.js';
import { wholeUnits } from '../wire/token-units.js';
import { amountField } from './money.js';
import { isFailed, transactionStatus } from './statuses.js';

const HASH = /^0x[0-9a-f]{64}$/i;
const ADDRESS = /^0x[0-9a-f]{40}$/;

function readReason(item: JsonObject, status: string): string | undefined {
  if (item.has('failure_reason')) return item.message('failure_reason');
  return isFailed(status) ? 'The payment failed.' : undefined;
}

function readTransaction(item: JsonObject, tokenDecimals: number): OnrampOrder {
  const told = item.string('status');
  const status = transactionStatus(told);
  const reason = readReason(item, told);
  const facts = {
    ...(reason !== undefined && { reason }),
    // The customer started it in time or not; when the money arrived is not told.
    ...((status === 'PROCESSING' || status === 'DELIVERED') && { paidAt: item.date('created_at') }),
  };
  if (status !== 'DELIVERED') return { status, ...facts };
  const hash = item.optional('tx_hash') ?? '';
  // Without the transaction on the chain, it is still asked for.
  if (!HASH.test(hash)) return { status: 'PROCESSING', ...facts };
  const bought = item.object('purchase_amount');
  return {
    status,
    ...facts,
    transactionHash: hash.toLowerCase() as `0x${string}`,
    deliveredAmount: wholeUnits(bought, amountField(bought), tokenDecimals),
  };
}

/** Documented with and without the suffix `-mainnet`. */
const networkName = (network: string): string => network.toLowerCase().replace(/-mainnet$/, '');

/** Whether a transaction buys the order's token for its address; undefined where it does not tell, or in other names. */
function isOfOrder(
  item: JsonObject,
  { depositAddress }: OnrampOrderReference,
  { code, network }: LockedTerms,
): boolean | undefined {
  const address = item.optional('wallet_address')?.toLowerCase();
  if (address === undefined || !ADDRESS.test(address)) return undefined;
  if (address !== depositAddress.toLowerCase()) return false;
  const isNamedSo =
    item.string('purchase_currency').toUpperCase() === code &&
    networkName(item.string('purchase_network')) === networkName(network);
  return isNamedSo ? true : undefined;
}

/** State of an order by its transactions, newest first. */
export const orderOf = (
  transactions: readonly JsonObject[],
  order: OnrampOrderReference,
  locked: LockedTerms,
): OnrampOrder =>
  furthest(
    transactions.flatMap((item): OnrampOrder[] => {
      const isOurs = isOfOrder(item, order, locked);
      if (isOurs === undefined) return [{ status: 'UNKNOWN' }];
      return isOurs ? [readTransaction(item, order.tokenDecimals)] : [];
    }),
  ) ?? { status: 'CREATED' };
