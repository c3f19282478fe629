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

const PATIENCE_MS = 120_000;

/** Shows an exchange to the test; the page waits, since leaving it would lose the exchange. */
declare const __exchanged: (exchange: Exchange) => Promise<void>;

/** The API as a page calls it: `fetch`, and the publishable key. */
export class PageApi {
  readonly #baseUrl: string;
  readonly #key: string;

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
    await __exchanged(exchange);
    return exchange;
  }

  get<T>(path: string, query: Record<string, string> = {}): Promise<T> {
    return this.#expectOk('GET', path, { query });
  }

  post<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
    return this.#expectOk('POST', path, { body, headers });
  }

  /** Repeats what is answered 429 or 503 when its `Retry-After` says; any other answer than 200 is an error. */
  async #expectOk<T>(method: string, path: string, options: RequestOptions): Promise<T> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const exchange = await this.request(method, path, options);
      if (exchange.status === 200) return exchange.body as T;
      const waitMs = retryAfterMs(exchange);
      if (waitMs === null || Date.now() + waitMs > deadline) throw unexpected(exchange);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** Null for an answer that does not say when to ask again. */
function retryAfterMs({ status, headers }: Exchange): number | null {
  const seconds = headers['retry-after'];
  return [429, 503].includes(status) && seconds !== undefined ? Number(seconds) * 1_000 : null;
}

const unexpected = ({ method, path, status, body }: Exchange): Error =>
  new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
