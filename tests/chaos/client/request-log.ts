import { failureOfStatus } from '@bascule/service-host';

/** HTTP status of an attempt, or null without a response. */
type Outcome = number | null;

/** Log of every attempt, which shows the requests that a kill interrupted. */
export class RequestLog {
  attempts = 0;
  /** Attempts by outcome: `200`, `503`, `broken`, … */
  readonly outcomes = new Map<string, number>();
  /** Attempts that broke or were refused for lack of a service, with the time and cause. */
  readonly interruptions: { at: number; service: string; cause: string }[] = [];
  readonly #open = new Map<string, number>();

  /** Returns a function to call when the attempt has ended. */
  begin(path: string): (outcome: Outcome, cause?: string) => void {
    const service = serviceOf(path);
    this.attempts += 1;
    this.#open.set(service, this.inFlight(service) + 1);
    return (outcome, cause) => {
      this.#open.set(service, this.inFlight(service) - 1);
      const name = outcome === null ? 'broken' : String(outcome);
      this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
      if (isInterrupted(outcome, cause)) {
        this.interruptions.push({ at: Date.now(), service, cause: cause ?? name });
      }
    };
  }

  /** Attempts under way at a service; all of them at the gateway. */
  inFlight(service: string): number {
    if (service !== 'gateway') return this.#open.get(service) ?? 0;
    return [...this.#open.values()].reduce((sum, each) => sum + each, 0);
  }
}

/** A 5xx with a message of its own, such as "not recorded yet", comes from services that run. */
function isInterrupted(outcome: Outcome, cause = ''): boolean {
  if (outcome === null) return true;
  if (outcome < 500) return false;
  const { errors } = failureOfStatus(outcome).body;
  return errors.some((error) => 'message' in error && cause.includes(error.message));
}

/** Returns the service behind the gateway that serves a path. */
function serviceOf(path: string): string {
  if (path.startsWith('/payments/quotes')) return 'quote';
  if (/^\/payments\/(withdraw|balances)/.test(path)) return 'withdrawal';
  if (path.startsWith('/orgs')) return 'webhook-dispatch';
  return 'payment';
}
