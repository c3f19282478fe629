import { providerError, type ProviderError } from '../port/provider-error.js';
import { JsonObject } from '../wire/json-object.js';

/** Maps a 4xx response: `{message, type, moonPayErrorCode, errors}`. */
export function refusal(provider: string, body: unknown): ProviderError {
  const error = JsonObject.of(body);
  return providerError(provider, 'rejected', error.message('message'));
}
