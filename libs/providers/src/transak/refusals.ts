import type { JsonResponse } from '@bascule/json-client';
import { providerError, type ProviderError } from '../port/provider-error.js';
import { JsonObject, told } from '../wire/json-object.js';

/** Message of an error in Transak's own words: `{error: {statusCode, name, message}}`; undefined for another body. */
export const messageOf = (body: unknown): string | undefined =>
  told(() => JsonObject.of(body).object('error').message('message'));

/** Maps a 4xx response. */
export const refusal = (provider: string, { status, body }: JsonResponse): ProviderError =>
  providerError(provider, 'rejected', messageOf(body) ?? `answered ${String(status)}`);
