import { PartyApiError } from '@bascule/party-api';

/** HTTP status of each error code of the API. */
const API_ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  unsupported_route: 422,
  amount_too_low: 422,
  amount_too_high: 422,
  refused: 422,
  unavailable: 503,
} as const;
type ApiErrorCode = keyof typeof API_ERROR_STATUS;

export class ApiError extends PartyApiError<ApiErrorCode> {
  override readonly name = 'ApiError';

  constructor(code: ApiErrorCode, message: string, fields?: Readonly<Record<string, unknown>>) {
    super(code, API_ERROR_STATUS[code], message, fields);
  }
}
