import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  isBrokenCircuitError,
  isTaskCancelledError,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';
import { PeerError } from './peer-error.js';

export interface CircuitBreakerOptions {
  /** Name in errors. */
  peer: string;
  /** Time limit of one whole call. */
  timeoutMs: number;
  /** Consecutive failures that open the circuit. */
  failures?: number;
  /** First time that the circuit stays open; doubles after each failed trial. */
  coolDownMs?: number;
  /** Longest time that the circuit stays open; 5 minutes by default. */
  maxCoolDownMs?: number;
  /** Whether an error counts as a failure of the peer; every error by default. */
  isFailure?: (error: unknown) => boolean;
}

const FAILURES = 5;
const COOL_DOWN_MS = 15_000;
const MAX_COOL_DOWN_MS = 300_000;

/** Time limit and circuit breaker for the calls to one peer. */
export class CircuitBreaker {
  private readonly breaker;
  private readonly policy;

  constructor(private readonly options: CircuitBreakerOptions) {
    const {
      timeoutMs,
      failures = FAILURES,
      coolDownMs = COOL_DOWN_MS,
      maxCoolDownMs = MAX_COOL_DOWN_MS,
      isFailure = () => true,
    } = options;
    this.breaker = circuitBreaker(handleWhen(isFailure), {
      breaker: new ConsecutiveBreaker(failures),
      halfOpenAfter: new ExponentialBackoff({
        initialDelay: coolDownMs,
        maxDelay: Math.max(coolDownMs, maxCoolDownMs),
      }),
    });
    this.policy = wrap(this.breaker, timeout(timeoutMs, TimeoutStrategy.Aggressive));
  }

  get isOpen(): boolean {
    return this.breaker.state === CircuitState.Open;
  }

  /**
   * Calls the peer. After a cool-down one call at a time tries it; the others fail at once instead of waiting for it.
   * @throws PeerError `circuit_open` or `timeout`, or whatever the call throws, which counts as a failure
   */
  async run<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.breaker.state === CircuitState.HalfOpen) throw this.notCalled();
    try {
      return await this.policy.execute(({ signal }) => call(signal));
    } catch (error) {
      const { peer, timeoutMs } = this.options;
      if (isBrokenCircuitError(error)) throw this.notCalled(error);
      if (isTaskCancelledError(error)) {
        const problem = `did not answer within ${timeoutMs} ms`;
        throw new PeerError(peer, 'timeout', problem, { cause: error });
      }
      throw error;
    }
  }
  private notCalled(cause?: unknown): PeerError {
    const { peer } = this.options;
    return new PeerError(peer, 'circuit_open', 'was not called: circuit open', { cause });
  }
}
