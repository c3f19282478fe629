import type { ServiceErrorCode } from '@bascule/contracts';

/** The one place where a failure gets its HTTP status. */
export const STATUS_OF: Record<ServiceErrorCode, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  unavailable: 503,
};
