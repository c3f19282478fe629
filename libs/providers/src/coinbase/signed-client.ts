import type { JsonResponse } from '@bascule/json-client';
import type { ProviderConnection } from '../port/provider-connection.js';
import { ProviderClient } from '../wire/provider-client.js';
import { requestToken } from './request-token.js';
import type { SigningKey } from './signing-key.js';
import { snakeCased, unwrapped } from './spelling.js';

/** The list of currencies has some hundreds of entries. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;

/** Client of one of Coinbase's two hosts; signs each request, and returns bodies in snake case. */
export class SignedClient {
  private readonly http: ProviderClient;
  private readonly base: string;

  constructor(
    private readonly connection: ProviderConnection,
    private readonly signingKey: SigningKey,
  ) {
    const { baseUrl } = connection;
    this.base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;
    this.http = new ProviderClient(connection, {
      headers: {},
      exactNumbers: true,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
  }

  async get(path: string, signal?: AbortSignal): Promise<JsonResponse> {
    return this.plain(await this.http.get(path, signal, this.headersOf('GET', path)));
  }

  async post(path: string, body: object, signal?: AbortSignal): Promise<JsonResponse> {
    return this.plain(await this.http.post(path, body, signal, this.headersOf('POST', path)));
  }

  /** Runs a reader of the response; as `ProviderClient.read`. */
  read<T>(reader: () => T): T {
    return this.http.read(reader);
  }

  private plain({ status, body }: JsonResponse): JsonResponse {
    return this.read(() => ({ status, body: unwrapped(snakeCased(body)) }));
  }

  private headersOf(method: 'GET' | 'POST', path: string): Readonly<Record<string, string>> {
    const token = requestToken(this.signingKey, {
      method,
      url: new URL(path, this.base),
      keyId: this.connection.apiKey,
      now: new Date(),
    });
    return { authorization: `Bearer ${token}` };
  }
}
