import type { ServiceErrorCode } from '@bascule/contracts';

/** HTTP status of each failure. */
export const STATUS_OF: Record<ServiceErrorCode, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  unprocessable: 422,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  unavailable: 503,
};
