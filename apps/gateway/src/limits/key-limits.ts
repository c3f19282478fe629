import type { ApiKey } from '../callers/api-key.js';

/** Units of a window. */
export interface KeyLimits {
  /** Limit of one client address; publishable keys only, which all visitors of a page share. */
  client?: number;
  key: number;
  /** Limit of all keys of the organisation together. */
  organisation: number;
}

/** Limits of the deployment, for what has none of its own. */
interface DefaultLimits {
  requests: number;
  clientRequests: number;
  organisationRequests: number;
}

/** Limits of a key: its own, or the deployment's. */
export function limitsOfKey(
  { caller, rateLimit, clientRateLimit, organisationRateLimit }: ApiKey,
  config: DefaultLimits,
): KeyLimits {
  return {
    ...(caller.kind === 'publishable' && { client: clientRateLimit ?? config.clientRequests }),
    key: rateLimit ?? config.requests,
    organisation: organisationRateLimit ?? config.organisationRequests,
  };
}
