import { providerError, type ProviderError } from '../port/provider-error.js';
import { JsonObject } from '../wire/json-object.js';

/** Maps a 4xx response: `{errorType, errorMessage}` of the v2 API, `{code, message}` of the v1 API. */
export function refusal(provider: string, body: unknown): ProviderError {
  const error = JsonObject.of(body);
  const field = error.has('error_message') ? 'error_message' : 'message';
  return providerError(provider, 'rejected', error.message(field));
}
