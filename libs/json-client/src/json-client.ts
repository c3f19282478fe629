import { withSpan } from '@bascule/process';
import type { RecordedSpan } from '@bascule/process';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import { PeerError, type PeerErrorOptions, type PeerErrorReason } from './peer-error.js';
import { retryAfterMs } from './retry-after.js';

export interface Bounds {
  /** Time limit of a whole call, connecting included. */
  timeoutMs: number;
  connectTimeoutMs: number;
  maxResponseBytes: number;
}

export interface JsonClientOptions extends Partial<Bounds> {
  /** Name in spans and errors. */
  peer: string;
  baseUrl: string;
  headers?: RequestHeaders;
  /** Numbers in responses become their text, so that no digit is lost. */
  exactNumbers?: boolean;
  /** A shared agent, which sets its own connect timeout and response size; never closed here. */
  dispatcher?: Dispatcher;
}

export interface JsonResponse {
  status: number;
  body: unknown;
}

export interface TextResponse {
  status: number;
  text: string;
}

export type RequestHeaders = Readonly<Record<string, string>>;

interface Call {
  method: 'GET' | 'POST';
  path: string;
  accept: string;
  body?: { text: string; type: string };
  /** Headers of this call beside those of every call. */
  headers?: RequestHeaders;
  signal: AbortSignal | undefined;
}

const TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;
const MAX_RESPONSE_BYTES = 256 * 1024;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const TOO_MANY_REQUESTS = 429;

const boundsOf = ({
  timeoutMs = TIMEOUT_MS,
  connectTimeoutMs = Math.min(timeoutMs, CONNECT_TIMEOUT_MS),
  maxResponseBytes = MAX_RESPONSE_BYTES,
}: Partial<Bounds>): Bounds => ({ timeoutMs, connectTimeoutMs, maxResponseBytes });

/** An HTTP agent that enforces the bounds; keeps idle connections for 4 s and follows no redirects. */
export function boundedAgent(bounds: Partial<Bounds> = {}): Agent {
  const { timeoutMs, connectTimeoutMs, maxResponseBytes } = boundsOf(bounds);
  return new Agent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 4_000,
    maxResponseSize: maxResponseBytes,
  });
}

/** HTTP client of one peer: bounded time, bounded responses, no redirects, and only `PeerError`s. */
export class JsonClient {
  private readonly dispatcher: Dispatcher;
  private readonly timeoutMs: number;

  constructor(private readonly options: JsonClientOptions) {
    this.timeoutMs = boundsOf(options).timeoutMs;
    this.dispatcher = options.dispatcher ?? boundedAgent(options);
  }

  /** Paths are relative to the base URL. @throws PeerError unless the response is JSON, below 500 and not 429 */
  async get(
    path: string,
    signal?: AbortSignal,
    headers: RequestHeaders = {},
  ): Promise<JsonResponse> {
    const call = { method: 'GET', path, accept: JSON_TYPE, signal, headers } as const;
    return this.parsed(await this.exchange(call));
  }

  /** Sends `URLSearchParams` as a form, any other body as JSON. @throws PeerError as `get` */
  async post(
    path: string,
    body: unknown,
    signal?: AbortSignal,
    headers: RequestHeaders = {},
  ): Promise<JsonResponse> {
    const call = { method: 'POST', path, accept: JSON_TYPE, signal, headers } as const;
    return this.parsed(await this.exchange({ ...call, body: encoded(body) }));
  }

  /** Returns the body unparsed. @throws PeerError for a 5xx, a 429 or no response */
  getText(path: string, accept: string, signal?: AbortSignal): Promise<TextResponse> {
    return this.exchange({ method: 'GET', path, accept, signal });
  }

  async close(): Promise<void> {
    if (this.options.dispatcher === undefined) await this.dispatcher.destroy();
  }

  private parsed({ status, text }: TextResponse): JsonResponse {
    try {
      return { status, body: parseJson(text, this.options.exactNumbers === true) };
    } catch (error) {
      throw this.failure('unreadable', 'answered without JSON', { cause: error });
    }
  }

  private exchange(call: Call): Promise<TextResponse> {
    const url = this.urlOf(call.path);
    const attributes = {
      'http.request.method': call.method,
      'server.address': url.hostname,
      'server.port': Number(url.port) || (url.protocol === 'http:' ? 80 : 443),
      'service.peer.name': this.options.peer,
    };
    const send = (span: RecordedSpan | undefined) => this.send(url, call, span);
    return withSpan(call.method, attributes, send, 'client');
  }

  private urlOf(path: string): URL {
    const { baseUrl } = this.options;
    if (path === '') return new URL(baseUrl);
    return new URL(path, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  }

  private async send(
    url: URL,
    { method, accept, body, headers: ofCall, signal }: Call,
    span: RecordedSpan | undefined,
  ): Promise<TextResponse> {
    const deadline = AbortSignal.timeout(this.timeoutMs);
    let response: TextResponse & { retryAfter: string | undefined };
    try {
      const { statusCode, headers, ...rest } = await this.dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: {
          accept,
          ...(body === undefined ? {} : { 'content-type': body.type }),
          ...this.options.headers,
          ...ofCall,
        },
        ...(body === undefined ? {} : { body: body.text }),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      span?.setAttribute('http.response.status_code', statusCode);
      const retryAfter = [headers['retry-after']].flat()[0];
      response = { status: statusCode, text: await rest.body.text(), retryAfter };
    } catch (error) {
      throw this.incomplete(error, deadline, signal);
    }
    const { status, text, retryAfter } = response;
    if (status === TOO_MANY_REQUESTS) {
      const waitMs = retryAfterMs(retryAfter, new Date());
      throw this.failure('rate_limited', `answered ${status}`, { retryAfterMs: waitMs });
    }
    if (status >= 500) throw this.failure('server_error', `answered ${status}`);
    return { status, text };
  }

  private incomplete(cause: unknown, deadline: AbortSignal, caller?: AbortSignal): PeerError {
    if (deadline.aborted) {
      return this.failure('timeout', `did not answer within ${this.timeoutMs} ms`, { cause });
    }
    if (caller?.aborted !== true) {
      return this.failure('unreachable', 'gave no complete response', { cause });
    }
    return isTimeout(caller.reason)
      ? this.failure('timeout', 'did not answer within the time limit of the caller', { cause })
      : this.failure('aborted', 'was not waited for', { cause });
  }

  private failure(reason: PeerErrorReason, problem: string, options?: PeerErrorOptions): PeerError {
    return new PeerError(this.options.peer, reason, problem, options);
  }
}

const encoded = (body: unknown): { text: string; type: string } =>
  body instanceof URLSearchParams
    ? { text: body.toString(), type: FORM_TYPE }
    : { text: JSON.stringify(body), type: JSON_TYPE };

/** Returns each number as its text in the source. */
function numbersAsText(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  if (context?.source === undefined) throw new TypeError('Node tells no source of a number');
  return context.source;
}

const parseJson = (text: string, exactNumbers: boolean): unknown =>
  exactNumbers ? JSON.parse(text, numbersAsText) : JSON.parse(text);

/** Signals of `AbortSignal.timeout` and `withTimeout` abort with an error of this name. */
const isTimeout = (reason: unknown): boolean =>
  reason instanceof Error && reason.name === 'TimeoutError';
