import type { JsonResponse } from '@bascule/json-client';
import type { ProviderConnection } from '../port/provider-connection.js';
import { providerError } from '../port/provider-error.js';
import type { SharedTokenStore } from '../port/shared-token-store.js';
import { JsonObject, UnreadableAnswer } from '../wire/json-object.js';
import { ProviderClient } from '../wire/provider-client.js';
import { SharedAccessToken, type IssuedToken } from '../wire/shared-access-token.js';
import { messageOf } from './refusals.js';
import type { TransakSettings } from './transak-settings.js';

/** The list of tokens has some hundreds of entries, the list of fiats has an image in each. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const UNIX_SECONDS = /^[1-9][0-9]{9}$/;

function readExpiry(data: JsonObject): Date {
  const text = data.string('expiresAt');
  const expiresAt = new Date(Number(text) * 1_000);
  if (!UNIX_SECONDS.test(text) || expiresAt <= new Date()) {
    throw new UnreadableAnswer('expiresAt', 'a time to come, in seconds since 1970');
  }
  return expiresAt;
}

/** Client of Transak's two API hosts, with the access token that all replicas share. */
export class TransakClient {
  readonly token: SharedAccessToken;
  private readonly api: ProviderClient;
  private readonly gateway: ProviderClient;

  constructor(
    private readonly connection: ProviderConnection,
    private readonly settings: TransakSettings,
    store: SharedTokenStore,
  ) {
    const { apiKey, name } = connection;
    const options = {
      headers: { 'x-api-key': apiKey },
      exactNumbers: true,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    };
    this.api = new ProviderClient(connection, options);
    this.gateway = new ProviderClient({ ...connection, baseUrl: settings.gatewayUrl }, options);
    this.token = new SharedAccessToken({
      provider: name,
      store,
      apiSecret: settings.apiSecret,
      issue: (signal) => this.issueToken(signal),
    });
  }

  /** Asks the public API, which needs no access token. */
  getPublic(path: string, signal?: AbortSignal): Promise<JsonResponse> {
    return this.api.get(path, signal);
  }

  getOrders(query: string, signal?: AbortSignal): Promise<JsonResponse> {
    return this.token.authorise(
      (token) => this.api.get(`partners/api/v2/orders?${query}`, signal, { 'access-token': token }),
      signal,
    );
  }

  /** Creates the URL of a page, for a customer with an IP address. */
  createSession(
    widgetParams: Readonly<Record<string, string | boolean>>,
    userIp: string,
    signal?: AbortSignal,
  ): Promise<JsonResponse> {
    return this.token.authorise((token) => {
      const headers = { 'access-token': token, 'x-user-ip': userIp };
      return this.gateway.post('api/v2/auth/session', { widgetParams }, signal, headers);
    }, signal);
  }

  /** Runs a reader of a response; as `ProviderClient.read`. */
  read<T>(reader: () => T): T {
    return this.api.read(reader);
  }

  /** Gets a new access token; Transak does not accept the former one any more. */
  private async issueToken(signal: AbortSignal): Promise<IssuedToken> {
    const { apiKey, name } = this.connection;
    const { status, body } = await this.api.post(
      'partners/api/v2/refresh-token',
      { apiKey },
      signal,
      { 'api-secret': this.settings.apiSecret },
    );
    return this.read(() => {
      if (status !== 200) {
        const told = messageOf(body) ?? `answered ${String(status)}`;
        throw providerError(name, 'unavailable', `gave no access token: ${told}`);
      }
      const data = JsonObject.of(body).object('data');
      return { value: data.string('accessToken'), expiresAt: readExpiry(data) };
    });
  }
}
