import { TimeoutError, withTimeout } from './with-timeout.js';

/** `true`, or the reason for a failure. */
export type HealthResult = true | string;
export type HealthCheck = () => Promise<HealthResult> | HealthResult;

export interface HealthReport {
  ok: boolean;
  checks: Record<string, HealthResult>;
}

const CHECK_TIMEOUT_MS = 2_000;

/** Ready: may get requests. Live: not to be restarted. */
export class HealthChecks {
  private readonly readiness = new Map<string, HealthCheck>();
  private readonly liveness = new Map<string, HealthCheck>();

  ready(name: string, check: HealthCheck): void {
    this.readiness.set(name, check);
  }

  live(name: string, check: HealthCheck): void {
    this.liveness.set(name, check);
  }

  evaluateReady(): Promise<HealthReport> {
    return evaluate(this.readiness);
  }

  evaluateLive(): Promise<HealthReport> {
    return evaluate(this.liveness);
  }
}

async function evaluate(checks: ReadonlyMap<string, HealthCheck>): Promise<HealthReport> {
  const results = await Promise.all(
    [...checks].map(async ([name, check]) => [name, await outcome(check)] as const),
  );
  return {
    ok: results.every(([, result]) => result === true),
    checks: Object.fromEntries(results),
  };
}

async function outcome(check: HealthCheck): Promise<HealthResult> {
  try {
    return await withTimeout(CHECK_TIMEOUT_MS, check);
  } catch (error) {
    // Other errors stay out of the response, which is public within the cluster.
    return error instanceof TimeoutError ? 'timed out' : 'failed';
  }
}
