import { readReason, type Attempt } from '../wire/attempts.js';
import { told, type JsonObject } from '../wire/json-object.js';
import type { LockedTerms } from '../wire/locked-terms.js';
import { amountOf } from './money.js';
import { isFailed, transactionStatus } from './statuses.js';

/** Documented with and without the suffix `-mainnet`. */
const networkName = (network: string): string => network.toLowerCase().replace(/-mainnet$/, '');

/** Reads a transaction of an order with the terms that its checkout locked. */
export const readTransaction =
  ({ code, network }: LockedTerms) =>
  (item: JsonObject): Attempt => {
    const status = item.string('status');
    const symbol = told(() => item.string('purchase_currency').toUpperCase());
    const onNetwork = told(() => networkName(item.string('purchase_network')));
    const failure = isFailed(status) ? 'The payment failed.' : undefined;
    return {
      status: transactionStatus(status),
      isNamedSo: symbol === code && onNetwork === networkName(network),
      address: told(() => item.string('wallet_address')),
      amount: told(() => amountOf(item.object('purchase_amount'))),
      startedAt: told(() => item.date('created_at')),
      transactionHash: told(() => item.string('tx_hash')),
      reason: readReason(item, 'failure_reason') ?? failure,
    };
  };
