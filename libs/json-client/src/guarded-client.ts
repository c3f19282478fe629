import { CircuitBreaker } from './circuit-breaker.js';
import {
  JsonClient,
  type RequestHeaders,
  type JsonClientOptions,
  type JsonResponse,
} from './json-client.js';
import { PeerError, type PeerErrorReason } from './peer-error.js';

export interface GuardedClientOptions extends JsonClientOptions {
  timeoutMs: number;
  /** Calls in flight; more are refused. 64 by default. */
  maxConcurrent?: number;
}

const MAX_CONCURRENT = 64;
/** Payments wait meanwhile, so an open circuit tries again soon. */
const COOL_DOWN_MS = { first: 1_000, max: 10_000 };
/** Longest pause that a 429 can ask for. */
const MAX_PAUSE_MS = 60_000;

const NO_FAILURES: ReadonlySet<PeerErrorReason> = new Set(['rate_limited', 'aborted']);

/** JSON client of one party in payments: a circuit breaker, a limit of concurrent calls, and a pause after a 429. */
export class GuardedClient {
  private readonly http: JsonClient;
  private readonly circuit: CircuitBreaker;
  private readonly maxConcurrent: number;
  private inFlight = 0;
  private pausedUntil = 0;

  constructor(private readonly options: GuardedClientOptions) {
    const { peer, timeoutMs, maxConcurrent = MAX_CONCURRENT } = options;
    this.maxConcurrent = maxConcurrent;
    this.http = new JsonClient(options);
    this.circuit = new CircuitBreaker({
      peer,
      timeoutMs,
      coolDownMs: COOL_DOWN_MS.first,
      maxCoolDownMs: COOL_DOWN_MS.max,
      isFailure: (error) => !(error instanceof PeerError && NO_FAILURES.has(error.reason)),
    });
  }

  /** @throws PeerError as `JsonClient`; `circuit_open`, `rate_limited` and `over_budget` also without a call */
  get(path: string, signal?: AbortSignal, headers?: RequestHeaders): Promise<JsonResponse> {
    return this.guarded(signal, (both) => this.http.get(path, both, headers));
  }

  /** @throws PeerError as `get` */
  post(
    path: string,
    body: unknown,
    signal?: AbortSignal,
    headers?: RequestHeaders,
  ): Promise<JsonResponse> {
    return this.guarded(signal, (both) => this.http.post(path, body, both, headers));
  }

  private async guarded(
    caller: AbortSignal | undefined,
    call: (signal: AbortSignal) => Promise<JsonResponse>,
  ): Promise<JsonResponse> {
    const waitMs = this.pausedUntil - Date.now();
    if (waitMs > 0) {
      throw this.notCalled('rate_limited', `is paused for ${waitMs} ms after a 429`);
    }
    if (this.inFlight >= this.maxConcurrent) {
      throw this.notCalled('over_budget', `was not called: ${this.inFlight} calls in flight`);
    }
    this.inFlight += 1;
    try {
      return await this.circuit.run((limit) =>
        call(caller ? AbortSignal.any([caller, limit]) : limit),
      );
    } catch (error) {
      this.pauseAfter(error);
      throw error;
    } finally {
      this.inFlight -= 1;
    }
  }

  private pauseAfter(error: unknown): void {
    if (!(error instanceof PeerError) || error.retryAfterMs === undefined) return;
    this.pausedUntil = Date.now() + Math.min(error.retryAfterMs, MAX_PAUSE_MS);
  }

  private notCalled(reason: 'rate_limited' | 'over_budget', problem: string): PeerError {
    return new PeerError(this.options.peer, reason, problem);
  }
}
