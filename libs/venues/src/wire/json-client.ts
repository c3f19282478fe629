import { withSpan } from '@bascule/process';
import type { RecordedSpan } from '@bascule/process';
import { Agent } from 'undici';

export interface JsonClientOptions {
  /** Whom it speaks to, in spans and errors. */
  peer: string;
  baseUrl: string;
  headers?: Readonly<Record<string, string>>;
  /** For a whole call, connecting included. */
  timeoutMs?: number;
}

export interface JsonAnswer {
  status: number;
  body: unknown;
}

/** There is no usable answer: the network, the time, a server's own trouble, or no JSON. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

const MAX_ANSWER_BYTES = 256 * 1024;

/** JSON over HTTP to one stranger: no redirects, bounded time, bounded answers. */
export class JsonClient {
  private readonly agent: Agent;
  private readonly baseUrl: URL;
  private readonly timeoutMs: number;

  constructor(private readonly options: JsonClientOptions) {
    this.timeoutMs = options.timeoutMs ?? 5_000;
    this.baseUrl = new URL(options.baseUrl.endsWith('/') ? options.baseUrl : `${options.baseUrl}/`);
    this.agent = new Agent({
      connect: { timeout: Math.min(this.timeoutMs, 2_000) },
      headersTimeout: this.timeoutMs,
      bodyTimeout: this.timeoutMs,
      keepAliveTimeout: 4_000,
      maxResponseSize: MAX_ANSWER_BYTES,
    });
  }

  /** @throws NoAnswerError */
  get(path: string, signal?: AbortSignal): Promise<JsonAnswer> {
    return this.call('GET', path, undefined, signal);
  }

  /** @throws NoAnswerError */
  post(path: string, body: unknown, signal?: AbortSignal): Promise<JsonAnswer> {
    return this.call('POST', path, JSON.stringify(body), signal);
  }

  private call(
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<JsonAnswer> {
    const url = new URL(path, this.baseUrl);
    const about = {
      'http.request.method': method,
      'server.address': url.hostname,
      'server.port': Number(url.port) || (url.protocol === 'http:' ? 80 : 443),
      'service.peer.name': this.options.peer,
    };
    return withSpan(method, about, (span) => this.ask(method, url, body, signal, span), 'client');
  }

  private async ask(
    method: 'GET' | 'POST',
    url: URL,
    body: string | undefined,
    signal: AbortSignal | undefined,
    span: RecordedSpan | undefined,
  ): Promise<JsonAnswer> {
    const deadline = AbortSignal.timeout(this.timeoutMs);
    try {
      const answer = await this.agent.request({
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
        throw new NoAnswerError(`${this.options.peer} answered ${answer.statusCode}`);
      }
      return { status: answer.statusCode, body: JSON.parse(text) };
    } catch (error) {
      if (error instanceof NoAnswerError) throw error;
      const why = deadline.aborted ? 'did not answer in time' : 'gave no usable answer';
      throw new NoAnswerError(`${this.options.peer} ${why}`, { cause: error });
    }
  }
}
