import type { QuoteLimits } from '../quotes/quote-limits.js';

/** Every code of the API, with its HTTP status. */
export const API_ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  unsupported_route: 422,
  amount_too_low: 422,
  amount_too_high: 422,
  refused: 422,
  unavailable: 503,
} as const;
export type ApiErrorCode = keyof typeof API_ERROR_STATUS;

export const limitsBody = ({ min, max }: QuoteLimits) => ({
  min: min.toString(),
  max: max.toString(),
});

export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ApiErrorCode,
    message: string,
    readonly limits?: QuoteLimits,
  ) {
    super(message);
  }

  body() {
    const { code, message, limits } = this;
    return { error: { code, message, ...(limits ? { limits: limitsBody(limits) } : {}) } };
  }
}
