import type { JsonResponse } from '@bascule/json-client';
import { providerError, type ProviderError } from '../port/provider-error.js';
import { JsonObject } from '../wire/json-object.js';

/** Maps a 4xx response: `{message, type, moonPayErrorCode, errors}`. */
export function refusal(provider: string, { status, body }: JsonResponse): ProviderError {
  const error = JsonObject.of(body);
  const told = error.isText('message') ? error.message('message') : `answered ${String(status)}`;
  return providerError(provider, 'rejected', told);
}
