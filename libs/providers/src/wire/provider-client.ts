import {
  GuardedClient,
  PeerError,
  type RequestHeaders,
  type JsonResponse,
} from '@bascule/json-client';
import type { Dispatcher } from 'undici';
import type { ProviderConnection } from '../port/provider-connection.js';
import { providerError } from '../port/provider-error.js';
import { UnreadableAnswer } from './json-object.js';

const TIMEOUT_MS = 5_000;

interface ProviderClientOptions {
  headers: Readonly<Record<string, string>>;
  /** For providers whose amounts are JSON numbers: they become text. */
  exactNumbers?: boolean;
  maxResponseBytes?: number;
  dispatcher?: Dispatcher | undefined;
}

/** JSON client of one provider with its own circuit breaker; throws only `ProviderError`. */
export class ProviderClient {
  private readonly http: GuardedClient;

  constructor(
    private readonly connection: ProviderConnection,
    { dispatcher, ...options }: ProviderClientOptions,
  ) {
    const { name, baseUrl, timeoutMs } = connection;
    this.http = new GuardedClient({
      ...options,
      peer: name,
      baseUrl,
      timeoutMs: timeoutMs ?? TIMEOUT_MS,
      ...(dispatcher === undefined ? {} : { dispatcher }),
    });
  }

  get(path: string, signal?: AbortSignal, headers?: RequestHeaders): Promise<JsonResponse> {
    return this.call(this.http.get(path, signal, headers));
  }

  /** Sends `URLSearchParams` as a form, any other body as JSON. */
  post(
    path: string,
    body: unknown,
    signal?: AbortSignal,
    headers?: RequestHeaders,
  ): Promise<JsonResponse> {
    return this.call(this.http.post(path, body, signal, headers));
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
