import { checkAnswer } from '../../tests/schemas/check-answer.js';
import { ContractViolation } from '../../tests/schemas/contract-violation.js';

/** An answer that was not 200, as it came. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(request: string, status: number, body: unknown) {
    super(`${request} answered ${status}: ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, else the text. */
  body: unknown;
}

export interface RequestOptions {
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The API as an integrator sees it: a base URL and a key. */
export class Api {
  readonly baseUrl: string;
  readonly #key: string | null;
  /** First violation of the contract; it fails every later request too, since polling would pass over it. */
  #violation: ContractViolation | null = null;

  constructor(baseUrl: string, key: string | null) {
    this.baseUrl = baseUrl;
    this.#key = key;
  }

  get<T>(path: string, query?: Record<string, string>): Promise<T> {
    return this.#expectOk('GET', path, { ...(query ? { query } : {}) });
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.#expectOk('POST', path, { body });
  }

  delete<T>(path: string, query: Record<string, string>): Promise<T> {
    return this.#expectOk('DELETE', path, { query });
  }

  /** Sends a request and returns any response, errors included. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    if (this.#violation !== null) throw this.#violation;
    const url = new URL(path, this.baseUrl);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      url.searchParams.append(name, value);
    }
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: options.signal ?? null,
      headers: {
        ...(this.#key === null ? {} : { authorization: `Bearer ${this.#key}` }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: serialized(options.body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const body: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    const { status, headers } = response;
    this.#check({ method, path: url.href, status, body, headers });
    return { status, headers, body };
  }

  #check(answer: Parameters<typeof checkAnswer>[0]): void {
    try {
      checkAnswer(answer);
    } catch (error) {
      if (error instanceof ContractViolation) this.#violation = error;
      throw error;
    }
  }

  async #expectOk<T>(method: string, path: string, options: RequestOptions): Promise<T> {
    const { status, body } = await this.request(method, path, options);
    if (status !== 200) throw new ApiError(`${method} ${path}`, status, body);
    return body as T;
  }
}

/** Opens a link of a payment, as a browser without a key. */
export const openLink = (url: string, signal?: AbortSignal): Promise<Answer> =>
  new Api(url, null).request('GET', url, signal === undefined ? {} : { signal });

const serialized = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body);
