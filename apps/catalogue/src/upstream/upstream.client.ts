import { CircuitBreaker, JsonClient, PeerError, type TextResponse } from '@bascule/json-client';

/** Outcomes of a call in `catalogue_upstream_calls_total`. */
export const CALL_OUTCOMES = [
  'answered',
  'failed',
  'rate_limited',
  'circuit_open',
  'over_budget',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/** Limit of calls; each is counted before it is made. */
export interface CallBudget {
  /** Counts one more call; false when the budget is spent. */
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

const MAX_RESPONSE_BYTES = 1024 * 1024;

/** GETs to one public data source, with a call budget, a circuit breaker and a pause after a 429. */
export class UpstreamClient {
  private readonly http: JsonClient;
  private readonly circuit: CircuitBreaker;
  private pausedUntil = 0;

  constructor(private readonly options: UpstreamOptions) {
    const { name: peer, url: baseUrl, timeoutMs, coolDownMs, headers } = options;
    this.circuit = new CircuitBreaker({
      peer,
      timeoutMs,
      ...(coolDownMs === undefined ? {} : { coolDownMs }),
    });
    this.http = new JsonClient({
      peer,
      baseUrl,
      timeoutMs,
      connectTimeoutMs: timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      ...(headers === undefined ? {} : { headers }),
    });
  }

  get isCircuitOpen(): boolean {
    return this.circuit.isOpen;
  }

  /**
   * Gets a path below the upstream's URL and reads the response. An error of `read` counts as a failure of the upstream.
   * @throws PeerError
   */
  async get<T>(path: string, read: (response: TextResponse) => T): Promise<T> {
    try {
      const value = await this.call(path, read);
      this.options.onCall?.('answered');
      return value;
    } catch (error) {
      const failure = this.failureOf(error);
      this.options.onCall?.(outcomeOf(failure));
      throw failure;
    }
  }

  async close(): Promise<void> {
    await this.http.close();
  }

  private async call<T>(path: string, read: (response: TextResponse) => T): Promise<T> {
    const waitMs = this.pausedUntil - Date.now();
    if (waitMs > 0) throw this.failure('rate_limited', `is paused for ${waitMs} ms after a 429`);
    const result = await this.circuit.run((signal) => this.attempt(path, read, signal));
    if ('value' in result) return result.value;
    this.pausedUntil = Date.now() + (result.failure.retryAfterMs ?? 0);
    throw result.failure;
  }

  /** Returns a spent budget and a 429 instead of throwing them: neither may open the circuit. */
  private async attempt<T>(
    path: string,
    read: (response: TextResponse) => T,
    signal: AbortSignal,
  ): Promise<{ value: T } | { failure: PeerError }> {
    const { accept, budget } = this.options;
    if (budget && !(await budget.take())) {
      return { failure: this.failure('over_budget', 'was not called: call budget spent') };
    }
    try {
      return { value: read(await this.http.getText(path, accept, signal)) };
    } catch (error) {
      if (error instanceof PeerError && error.reason === 'rate_limited') return { failure: error };
      throw error;
    }
  }

  private failureOf(error: unknown): PeerError {
    if (error instanceof PeerError) return error;
    return new PeerError(this.options.name, 'unreadable', 'gave an unreadable response', {
      cause: error,
    });
  }

  private failure(reason: 'rate_limited' | 'over_budget', problem: string): PeerError {
    return new PeerError(this.options.name, reason, problem);
  }
}

function outcomeOf({ reason }: PeerError): CallOutcome {
  const isOwn = reason === 'rate_limited' || reason === 'circuit_open' || reason === 'over_budget';
  return isOwn ? reason : 'failed';
}
