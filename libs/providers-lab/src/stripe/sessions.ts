import { randomBytes } from 'node:crypto';
import type { LabAnswer } from '../server/lab-server.js';
import { unixSeconds } from '../server/signatures.js';
import { refused } from './errors.js';

/** Token that the account sells. */
export interface StripeToken {
  currency: string;
  network: string;
  /** Null is the native currency. */
  contract: string | null;
  decimals: number;
  /** One whole token in US dollars. */
  usdPrice: number;
}

export interface Session {
  /** Names the session in the URL of its page; not part of the API. */
  hash: string;
  id: string;
  object: 'crypto.onramp_session';
  client_secret: string;
  created: number;
  livemode: false;
  kyc_details_provided: boolean;
  metadata: Readonly<Record<string, string>>;
  redirect_url: string;
  status: string;
  transaction_details: {
    destination_amount: string;
    destination_currency: string;
    destination_currencies: string[];
    destination_network: string;
    destination_networks: string[];
    fees: { network_fee_amount: string; transaction_fee_amount: string } | null;
    lock_wallet_address: boolean;
    source_amount: string | null;
    source_currency: string;
    transaction_id: string | null;
    wallet_address: string | null;
    wallet_addresses: Readonly<Record<string, string | null>>;
  };
}

const KNOWN = new Set([
  'customer_ip_address',
  'destination_amount',
  'destination_currencies[]',
  'destination_currency',
  'destination_network',
  'destination_networks[]',
  'lock_wallet_address',
  'source_currency',
]);
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const nested = (form: URLSearchParams, name: string): Record<string, string> =>
  Object.fromEntries(
    [...form]
      .filter(([key]) => key.startsWith(`${name}[`) && key.endsWith(']'))
      .map(([key, value]) => [key.slice(name.length + 1, -1), value]),
  );

interface Terms {
  tokens: readonly StripeToken[];
  /** Name of Base in maps by network. */
  baseKey: string;
  host: string;
}

export const networkKey = (network: string, baseKey: string): string =>
  network === 'base' ? baseKey : network;

/** Finds what is wrong with a request for a session. */
function problemOf(form: URLSearchParams, { tokens, baseKey }: Terms): LabAnswer | undefined {
  const unknown = [...form.keys()].find(
    (name) => !KNOWN.has(name) && !/^(metadata|wallet_addresses)\[\w+\]$/.test(name),
  );
  if (unknown !== undefined) return refused(`Received unknown parameter: ${unknown}`);
  const [currency, network] = [form.get('destination_currency'), form.get('destination_network')];
  if (currency === null || network === null) {
    return refused('Specify both a destination currency and a network.', {
      code: 'incomplete_destination_currency_and_network_pair',
    });
  }
  if (!tokens.some((token) => token.currency === currency && token.network === network)) {
    return refused('The destination currency is not available on the network.', {
      code: 'invalid_destination_currency_and_network_pair',
    });
  }
  if (!(Number(form.get('destination_amount')) > 0)) {
    return refused('The destination amount is not valid.', { code: 'invalid_destination_amount' });
  }
  const wallets = nested(form, 'wallet_addresses');
  if (Object.keys(wallets).length === 0) {
    return refused('There is no wallet address to lock.', { code: 'no_wallet_address_to_lock' });
  }
  if (!ADDRESS.test(wallets[networkKey(network, baseKey)] ?? '')) {
    return refused('The wallet addresses do not support all networks.', {
      code: 'wallet_addresses_not_all_networks_supported',
    });
  }
  return undefined;
}

/** Creates a session of a form, or returns the refusal. */
export function openSession(
  form: URLSearchParams,
  terms: Terms,
): { session: Session } | { refusal: LabAnswer } {
  const refusal = problemOf(form, terms);
  if (refusal) return { refusal };
  const id = `cos_${randomBytes(12).toString('hex')}`;
  const hash = randomBytes(16).toString('hex');
  const networks = terms.tokens.map(({ network }) => networkKey(network, terms.baseKey));
  const wallets = nested(form, 'wallet_addresses');
  const session: Session = {
    hash,
    id,
    object: 'crypto.onramp_session',
    client_secret: `${id}_secret_lab`,
    created: unixSeconds(new Date()),
    livemode: false,
    kyc_details_provided: false,
    metadata: nested(form, 'metadata'),
    redirect_url: `http://${terms.host}/?session_hash=${hash}`,
    status: 'initialized',
    transaction_details: {
      destination_amount: form.get('destination_amount') ?? '',
      destination_currency: form.get('destination_currency') ?? '',
      destination_currencies: form.getAll('destination_currencies[]'),
      destination_network: form.get('destination_network') ?? '',
      destination_networks: form.getAll('destination_networks[]'),
      fees: null,
      lock_wallet_address: form.get('lock_wallet_address') === 'true',
      source_amount: null,
      source_currency: form.get('source_currency') ?? 'usd',
      transaction_id: null,
      wallet_address: null,
      wallet_addresses: Object.fromEntries(networks.map((name) => [name, wallets[name] ?? null])),
    },
  };
  return { session };
}

/** Session as the API shows it. */
export function publicSession({ hash: _hash, ...session }: Session): object {
  return session;
}
