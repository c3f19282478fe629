import { PartyApiError } from '@bascule/party-api';
import type { MethodOffer } from '../offers/offer.js';

/** HTTP status of each error code of the providers' API. */
const API_ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  amount_too_low: 422,
  amount_too_high: 422,
  unsupported_asset: 422,
  unsupported_fiat: 422,
  unsupported_payment_method: 422,
  kyc_required: 403,
  location_refused: 403,
  destination_refused: 403,
  customer_refused: 403,
  quote_not_found: 422,
  order_conflict: 409,
  order_not_payable: 409,
  unavailable: 503,
} as const;
type ApiErrorCode = keyof typeof API_ERROR_STATUS;

export class ApiError extends PartyApiError<ApiErrorCode> {
  override readonly name = 'ApiError';

  constructor(code: ApiErrorCode, message: string, limits?: Pick<MethodOffer, 'min' | 'max'>) {
    const fields = limits ? { limits: { min: limits.min, max: limits.max } } : {};
    super(code, API_ERROR_STATUS[code], message, fields);
  }
}
