import type { OnrampOrder } from '../port/onramp-provider.js';
import { told, transactionHashOf, type JsonObject } from '../wire/json-object.js';
import { isFarBelow } from '../wire/locked-terms.js';
import { wholeUnits } from '../wire/token-units.js';
import { isOfPair, networkKeys, type StripePair } from './pairs.js';
import { sessionStatus } from './statuses.js';

/** Our id in a session's metadata; undefined without it. */
export function paymentIdOf(session: JsonObject): string | undefined {
  if (!session.has('metadata')) return undefined;
  const metadata = session.object('metadata');
  return metadata.has('payment_id') ? metadata.string('payment_id') : undefined;
}

const strings = (item: JsonObject, names: readonly string[]): string[] =>
  names.filter((name) => item.has(name)).map((name) => item.string(name));

/** Whether a session delivers the pair to the address, and to no other. */
export function deliversTo(
  session: JsonObject,
  { pair, depositAddress }: { pair: StripePair; depositAddress: string },
): boolean {
  const details = session.object('transaction_details');
  const addresses = [
    ...strings(details, ['wallet_address']),
    ...(details.has('wallet_addresses')
      ? strings(details.object('wallet_addresses'), networkKeys(pair.network))
      : []),
  ];
  return (
    details.boolean('lock_wallet_address') &&
    addresses.length > 0 &&
    addresses.every((address) => address.toLowerCase() === depositAddress.toLowerCase()) &&
    isOfPair(details, pair)
  );
}

/** Whether a session now buys much less than it was opened for. */
export function isSmaller(session: JsonObject): boolean {
  const locked = told(() => session.object('metadata').decimal('amount'));
  const bought = told(() => session.object('transaction_details').decimal('destination_amount'));
  return locked !== undefined && bought !== undefined && isFarBelow(bought, { amount: locked });
}

/** Reads the state of a session. */
export function readOrder(session: JsonObject, tokenDecimals: number): OnrampOrder {
  const details = session.object('transaction_details');
  const status = sessionStatus(session.string('status'));
  const id = details.has('transaction_id') ? details.string('transaction_id') : '';
  const transactionHash = transactionHashOf(id);
  return {
    status,
    // Some sessions have an id of Stripe here.
    ...(transactionHash && { transactionHash }),
    ...(status === 'DELIVERED' && {
      deliveredAmount: wholeUnits(details, 'destination_amount', tokenDecimals),
    }),
    ...(status === 'FAILED' && { reason: 'Stripe did not accept the customer.' }),
  };
}
