import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleAll,
  isBrokenCircuitError,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';

export interface IsolationOptions {
  /** For one call, whatever it does. */
  timeoutMs: number;
  /** So many failures in a row open the circuit. */
  failures?: number;
  /** First time that it stays open; grows while trials fail. */
  coolDownMs?: number;
}

const FAILURES = 5;
const COOL_DOWN_MS = 15_000;
const LONGEST_COOL_DOWN_MS = 300_000;

/** The circuit is open: nothing was asked. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';
}

/** Calls to somebody who may be slow or down: each takes a bounded time, and after some failures none is made for a while. */
export class Isolation {
  private readonly breaker;
  private readonly policy;

  constructor({ timeoutMs, failures = FAILURES, coolDownMs = COOL_DOWN_MS }: IsolationOptions) {
    this.breaker = circuitBreaker(handleAll, {
      breaker: new ConsecutiveBreaker(failures),
      halfOpenAfter: new ExponentialBackoff({
        initialDelay: coolDownMs,
        maxDelay: Math.max(coolDownMs, LONGEST_COOL_DOWN_MS),
      }),
    });
    this.policy = wrap(this.breaker, timeout(timeoutMs, TimeoutStrategy.Aggressive));
  }

  get isOpen(): boolean {
    return this.breaker.state === CircuitState.Open;
  }

  /** @throws CircuitOpenError, cockatiel's TaskCancelledError when it takes too long, or what the call throws */
  async run<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await this.policy.execute(({ signal }) => call(signal));
    } catch (error) {
      if (!isBrokenCircuitError(error)) throw error;
      throw new CircuitOpenError('the circuit is open', { cause: error });
    }
  }
}
