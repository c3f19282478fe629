import { type RecordedSpan, withSpan } from '@bascule/process';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import { providerError } from '../port/provider-error.js';
import type { ProviderError } from '../port/provider-error.js';
import { UnreadableAnswer } from './json-object.js';

export interface ProviderClientOptions {
  provider: string;
  baseUrl: string;
  headers: Readonly<Record<string, string>>;
  /** For a whole call, connecting included. */
  timeoutMs?: number;
  maxAnswerBytes?: number;
  dispatcher?: Dispatcher;
}

export interface ProviderAnswer {
  status: number;
  body: unknown;
}

/** JSON over HTTP to one provider: no redirects, bounded time, bounded answers, and only `ProviderError`s come out. */
export class ProviderClient {
  private readonly dispatcher: Dispatcher;
  private readonly baseUrl: URL;
  private readonly timeoutMs: number;

  constructor(private readonly options: ProviderClientOptions) {
    this.timeoutMs = options.timeoutMs ?? 5_000;
    this.baseUrl = new URL(options.baseUrl.endsWith('/') ? options.baseUrl : `${options.baseUrl}/`);
    this.dispatcher =
      options.dispatcher ??
      new Agent({
        connect: { timeout: Math.min(this.timeoutMs, 2_000) },
        headersTimeout: this.timeoutMs,
        bodyTimeout: this.timeoutMs,
        keepAliveTimeout: 4_000,
        maxResponseSize: options.maxAnswerBytes ?? 256 * 1024,
      });
  }

  get(path: string, signal?: AbortSignal): Promise<ProviderAnswer> {
    return this.call('GET', path, undefined, signal);
  }

  post(path: string, body: unknown, signal?: AbortSignal): Promise<ProviderAnswer> {
    return this.call('POST', path, JSON.stringify(body), signal);
  }

  /** Turns what an answer's reader throws into an error of this provider. */
  read<T>(reader: () => T): T {
    try {
      return reader();
    } catch (error) {
      if (error instanceof UnreadableAnswer) throw this.unavailable('answer not understood', error);
      throw error;
    }
  }

  private call(
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ProviderAnswer> {
    const url = new URL(path, this.baseUrl);
    const about = {
      'http.request.method': method,
      'server.address': url.hostname,
      'server.port': Number(url.port) || (url.protocol === 'http:' ? 80 : 443),
      'service.peer.name': this.options.provider,
    };
    return withSpan(method, about, (span) => this.ask(method, url, body, signal, span), 'client');
  }

  private async ask(
    method: 'GET' | 'POST',
    url: URL,
    body: string | undefined,
    signal: AbortSignal | undefined,
    span: RecordedSpan | undefined,
  ): Promise<ProviderAnswer> {
    const deadline = AbortSignal.timeout(this.timeoutMs);
    try {
      const answer = await this.dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...this.options.headers,
        },
        ...(body === undefined ? {} : { body }),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      span?.setAttribute('http.response.status_code', answer.statusCode);
      const text = await answer.body.text();
      if (answer.statusCode >= 500 || answer.statusCode === 429) {
        throw this.unavailable(`answered ${String(answer.statusCode)}`);
      }
      return { status: answer.statusCode, body: JSON.parse(text) };
    } catch (error) {
      if (error instanceof Error && error.name === 'ProviderError') throw error;
      throw this.unavailable(deadline.aborted ? 'did not answer in time' : 'no answer', error);
    }
  }

  private unavailable(message: string, cause?: unknown): ProviderError {
    return providerError(this.options.provider, 'unavailable', message, cause);
  }
}
