/** HTTP status of an attempt, or null without a response. */
type Outcome = number | null;

/** The answer to a withdrawal before payment has said who sent the money. Such a 503 comes from services that all run. */
const SENDERS_UNCHECKED = 'are not checked yet';

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
      const isInterrupted = outcome === null || outcome >= 500;
      if (isInterrupted && cause?.includes(SENDERS_UNCHECKED) !== true) {
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

/** Returns the service behind the gateway that serves a path. */
function serviceOf(path: string): string {
  if (path.startsWith('/payments/quotes')) return 'quote';
  if (/^\/payments\/(withdraw|balances)/.test(path)) return 'withdrawal';
  if (path.startsWith('/orgs')) return 'webhook-dispatch';
  return 'payment';
}
