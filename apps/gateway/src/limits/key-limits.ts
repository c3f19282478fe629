import { sharesOf } from '@bascule/contracts';
import type { ApiKey } from '../callers/api-key.js';

/** Units of a window that one client may use up; publishable keys only, which all visitors of a page share. */
interface ClientLimits {
  /** Units of one address, or of the /64 of an IPv6 address, with this key. */
  address: number;
  /** Units of all addresses that one client may have, with this key. */
  block: number;
  /** Units of these with all keys of the organisation. */
  organisation: number;
}

/** Units of a window. */
export interface KeyLimits {
  client?: ClientLimits;
  key: number;
  /** Limit of all publishable keys of the organisation together; the rest is reserved for secret keys. */
  publishable?: number;
  /** Limit of all keys of the organisation together. */
  organisation: number;
}

/** Limits of the deployment, for what has none of its own. */
interface DefaultLimits {
  requests: number;
  clientRequests: number;
  organisationRequests: number;
}

/**
 * Largest limit of a client that an operator can set: half of what publishable keys have.
 * @param limit the smaller of the key's and the organisation's
 */
export const largestClientLimit = (limit: number): number =>
  Math.ceil(sharesOf(limit).publishable / 2);

/** Limits of a key: its own, or the deployment's, such that no client uses up what others need. */
export function limitsOfKey(apiKey: ApiKey, config: DefaultLimits): KeyLimits {
  const key = apiKey.rateLimit ?? config.requests;
  const organisation = apiKey.organisationRateLimit ?? config.organisationRequests;
  if (apiKey.caller.kind === 'secret') return { key, organisation };
  const smaller = Math.min(key, organisation);
  const share = sharesOf(smaller).visitor;
  const address =
    apiKey.clientRateLimit === null
      ? Math.min(config.clientRequests, share)
      : Math.min(apiKey.clientRateLimit, largestClientLimit(smaller));
  const block = Math.max(address, share);
  const { publishable, visitor } = sharesOf(organisation);
  const client = { address, block, organisation: Math.max(block, visitor) };
  return { client, key, publishable, organisation };
}
