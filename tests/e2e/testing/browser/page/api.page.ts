/** One exchange with the API, with the headers that the browser shows to a page. */
export interface Exchange {
  method: string;
  path: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface RequestOptions {
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An answer other than 200. */
export class ApiError extends Error {
  readonly status: number;

  constructor({ method, path, status, body }: Exchange) {
    super(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
    this.status = status;
  }
}

/** The API as a page calls it: `fetch`, and the publishable key. */
export class PageApi {
  readonly #baseUrl: string;
  readonly #key: string;
  readonly #exchanges: Exchange[] = [];

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  /** @throws TypeError when the browser withholds the answer from the page */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Exchange> {
    const { query = {}, body, headers } = options;
    const url = new URL(path, this.#baseUrl);
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const exchange = {
      method,
      path: `${url.pathname}${url.search}`,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === '' ? '' : (JSON.parse(text) as unknown),
    };
    this.#exchanges.push(exchange);
    return exchange;
  }

  get<T>(path: string, query: Record<string, string> = {}): Promise<T> {
    return this.#expectOk('GET', path, { query });
  }

  post<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
    return this.#expectOk('POST', path, { body, headers });
  }

  /** Returns the exchanges since the last call. */
  takeExchanges(): Exchange[] {
    return this.#exchanges.splice(0);
  }

  async #expectOk<T>(method: string, path: string, options: RequestOptions): Promise<T> {
    const exchange = await this.request(method, path, options);
    if (exchange.status !== 200) throw new ApiError(exchange);
    return exchange.body as T;
  }
}
