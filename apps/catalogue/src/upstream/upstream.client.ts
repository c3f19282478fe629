import { withSpan } from '@bascule/process';
import { Agent } from 'undici';
import { CircuitOpenError, Isolation } from './isolation.client.js';
import { retryAfterMs } from './retry-after.js';

/** How a call went, as metrics count it. */
export const CALL_OUTCOMES = [
  'answered',
  'failed',
  'rate_limited',
  'circuit_open',
  'over_budget',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Counts calls before they are made. */
export interface CallBudget {
  /** Whether another call may be made; it is counted. */
  take(): Promise<boolean>;
}

export interface UpstreamOptions {
  name: string;
  url: string;
  accept: string;
  headers?: Readonly<Record<string, string>>;
  timeoutMs: number;
  coolDownMs?: number;
  budget?: CallBudget;
  onCall?: (outcome: CallOutcome) => void;
}

export interface UpstreamAnswer {
  status: number;
  text: string;
}

type Exchange<T> =
  | { outcome: 'answered'; value: T }
  | { outcome: 'over_budget' }
  | { outcome: 'rate_limited'; waitMs: number };

/** There is no answer, and nobody to blame but the upstream, the network or our own restraint. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';

  constructor(
    readonly outcome: Exclude<CallOutcome, 'answered'>,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const MAX_ANSWER_BYTES = 1024 * 1024;
const TOO_MANY_REQUESTS = 429;

/** GETs to one public data source: bounded in time, bytes, number and failures; no redirects; nothing while it asks us to wait. */
export class UpstreamClient {
  private readonly agent: Agent;
  private readonly isolation: Isolation;
  private readonly baseUrl: URL;
  private pausedUntil = 0;

  constructor(private readonly options: UpstreamOptions) {
    const { timeoutMs } = options;
    this.baseUrl = new URL(options.url);
    this.isolation = new Isolation({
      timeoutMs,
      ...(options.coolDownMs === undefined ? {} : { coolDownMs: options.coolDownMs }),
    });
    this.agent = new Agent({
      connect: { timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      keepAliveTimeout: 4_000,
      maxResponseSize: MAX_ANSWER_BYTES,
    });
  }

  get isCircuitOpen(): boolean {
    return this.isolation.isOpen;
  }

  /**
   * What `read` makes of the answer at the path below the upstream's URL. What it throws counts as a failure.
   * @throws UpstreamError when there is no usable answer, also for a server's own trouble
   */
  async get<T>(path: string, read: (answer: UpstreamAnswer) => T): Promise<T> {
    try {
      const value = await this.ask(path, read);
      this.options.onCall?.('answered');
      return value;
    } catch (error) {
      const failure = this.failureOf(error);
      this.options.onCall?.(failure.outcome);
      throw failure;
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async ask<T>(path: string, read: (answer: UpstreamAnswer) => T): Promise<T> {
    const { name } = this.options;
    const waitMs = this.pausedUntil - Date.now();
    if (waitMs > 0) throw new UpstreamError('rate_limited', `${name} wants ${waitMs} ms of peace`);
    const answer = await this.isolation.run((signal) => this.exchange(path, read, signal));
    if (answer.outcome === 'answered') return answer.value;
    if (answer.outcome === 'over_budget') {
      throw new UpstreamError('over_budget', `the calls that ${name} allows are spent`);
    }
    this.pausedUntil = Date.now() + answer.waitMs;
    throw new UpstreamError('rate_limited', `${name} answered ${TOO_MANY_REQUESTS}`);
  }

  /** Throws what counts as the upstream's failure; to be asked for restraint is none. */
  private async exchange<T>(
    path: string,
    read: (answer: UpstreamAnswer) => T,
    signal: AbortSignal,
  ): Promise<Exchange<T>> {
    const { name, budget } = this.options;
    if (budget && !(await budget.take())) return { outcome: 'over_budget' };
    const { status, text, retryAfter } = await this.request(path, signal);
    if (status === TOO_MANY_REQUESTS) {
      return { outcome: 'rate_limited', waitMs: retryAfterMs(retryAfter, new Date()) };
    }
    if (status >= 500) throw new Error(`${name} answered ${status}`);
    return { outcome: 'answered', value: read({ status, text }) };
  }

  private request(
    path: string,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer & { retryAfter: string | undefined }> {
    const { name, accept, headers } = this.options;
    const about = {
      'http.request.method': 'GET',
      'server.address': this.baseUrl.hostname,
      'service.peer.name': name,
    };
    return withSpan(
      'GET',
      about,
      async (span) => {
        const {
          statusCode,
          headers: received,
          body,
        } = await this.agent.request({
          origin: this.baseUrl.origin,
          path: `${this.baseUrl.pathname.replace(/\/$/, '')}${path}`,
          method: 'GET',
          headers: { accept, ...headers },
          signal,
        });
        span?.setAttribute('http.response.status_code', statusCode);
        const text = await body.text();
        const wait = received['retry-after'];
        return { status: statusCode, text, retryAfter: Array.isArray(wait) ? wait[0] : wait };
      },
      'client',
    );
  }

  private failureOf(error: unknown): UpstreamError {
    if (error instanceof UpstreamError) return error;
    const { name } = this.options;
    const cause = { cause: error };
    return error instanceof CircuitOpenError
      ? new UpstreamError('circuit_open', `${name} is left alone for a while`, cause)
      : new UpstreamError('failed', `${name} gave no answer`, cause);
  }
}
