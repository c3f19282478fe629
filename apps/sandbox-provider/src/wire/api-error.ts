import type { MethodOffer } from '../offers/offer.js';

/** Every code of the providers' API, with its HTTP status. */
export const API_ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  amount_too_low: 422,
  amount_too_high: 422,
  unsupported_asset: 422,
  unsupported_fiat: 422,
  unsupported_payment_method: 422,
  quote_not_found: 422,
  order_conflict: 409,
  order_not_payable: 409,
  unavailable: 503,
} as const;
export type ApiErrorCode = keyof typeof API_ERROR_STATUS;

export class ApiError extends Error {
  constructor(
    readonly code: ApiErrorCode,
    message: string,
    readonly limits?: Pick<MethodOffer, 'min' | 'max'>,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  body(): {
    error: { code: ApiErrorCode; message: string; limits?: { min: string; max: string } };
  } {
    const { code, message, limits } = this;
    return {
      error: { code, message, ...(limits ? { limits: { min: limits.min, max: limits.max } } : {}) },
    };
  }
}
