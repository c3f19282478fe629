import { GuardedClient, PeerError, type JsonResponse } from '@bascule/json-client';
import type { Dispatcher } from 'undici';
import type { ProviderConnection } from '../port/provider-connection.js';
import { providerError } from '../port/provider-error.js';
import { UnreadableAnswer } from './json-object.js';

const TIMEOUT_MS = 5_000;

/** JSON client of one provider with its own circuit breaker; throws only `ProviderError`. */
export class ProviderClient {
  private readonly http: GuardedClient;

  constructor(
    private readonly connection: ProviderConnection,
    options: { headers: Readonly<Record<string, string>>; dispatcher?: Dispatcher | undefined },
  ) {
    const { name, baseUrl, timeoutMs } = connection;
    this.http = new GuardedClient({
      peer: name,
      baseUrl,
      headers: options.headers,
      timeoutMs: timeoutMs ?? TIMEOUT_MS,
      ...(options.dispatcher === undefined ? {} : { dispatcher: options.dispatcher }),
    });
  }

  get(path: string, signal?: AbortSignal): Promise<JsonResponse> {
    return this.call(this.http.get(path, signal));
  }

  post(path: string, body: unknown, signal?: AbortSignal): Promise<JsonResponse> {
    return this.call(this.http.post(path, body, signal));
  }

  /** Runs a reader of the response; a response that it cannot read makes the provider unavailable. */
  read<T>(reader: () => T): T {
    try {
      return reader();
    } catch (error) {
      if (!(error instanceof UnreadableAnswer)) throw error;
      throw providerError(this.connection.name, 'unavailable', 'unreadable response', error);
    }
  }

  private async call(response: Promise<JsonResponse>): Promise<JsonResponse> {
    try {
      return await response;
    } catch (error) {
      if (!(error instanceof PeerError)) throw error;
      throw providerError(this.connection.name, 'unavailable', error.problem, error);
    }
  }
}
