import type { OnrampLimits, OnrampQuoteRequest } from '../port/onramp-provider.js';
import { ProviderError, providerError } from '../port/provider-error.js';
import { JsonObject } from '../wire/json-object.js';

const PREFIX = 'crypto_onramp_';

/** Codes about the place of the customer's IP address. */
const GEOLOCATION: ReadonlySet<string> = new Set(['unsupportable_customer', 'unsupported_country']);
/** Stripe does not tell whether the amount is too low or too high. */
const AMOUNT: ReadonlySet<string> = new Set([
  'invalid_source_amount',
  'invalid_destination_amount',
]);
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'invalid_source_destination_pair',
  'incomplete_destination_currency_and_network_pair',
  'invalid_destination_currency_and_network_pair',
  'invalid_destination_currencies_and_networks',
  'conflicting_destination_currency',
  'conflicting_destination_network',
  'wallet_addresses_not_all_networks_supported',
]);

/** Refusals of the key, with a part of it in their texts. */
const OF_KEYS: ReadonlySet<number> = new Set([401, 403]);
const CONFLICT = 409;

interface Refused {
  status: number;
  body: unknown;
}

/** Terms that were refused, and the limits of their fiat. */
export interface AskedTerms extends Pick<OnrampQuoteRequest, 'fiat' | 'fiatAmount'> {
  limits: OnrampLimits;
}

/** Maps a 4xx response, `{error: {type, code, message}}`. */
export function refusal(
  provider: string,
  { status, body }: Refused,
  asked?: AskedTerms,
): ProviderError {
  const error = JsonObject.of(body).object('error');
  if (OF_KEYS.has(status)) {
    return providerError(provider, 'rejected', 'the API key is not valid, or may not do this');
  }
  // Another request with the same idempotency key is in flight.
  if (status === CONFLICT) {
    return providerError(provider, 'unavailable', 'another request for the order is in flight');
  }
  const name = error.has('code') ? error.string('code') : error.string('type');
  const code = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
  const text = error.has('message') ? error.message('message') : name;
  const message = `${provider}: ${text}`;
  if (GEOLOCATION.has(code)) {
    return new ProviderError(provider, 'rejected', [{ kind: 'geolocation', message }]);
  }
  if (AMOUNT.has(code) && asked !== undefined) {
    return new ProviderError(provider, 'amount', [
      {
        kind: 'amount',
        asset: asked.fiat,
        given: asked.fiatAmount,
        limits: asked.limits,
        source: provider,
        message,
        reason: 'UNKNOWN',
      },
    ]);
  }
  return providerError(provider, UNSUPPORTED.has(code) ? 'unsupported' : 'rejected', text);
}
