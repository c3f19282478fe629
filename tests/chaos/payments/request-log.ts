/** How an attempt ended: the status, or null when there was no answer. */
type Outcome = number | null;

/** Every attempt of every player, so that it is known what a kill has hit. */
export class RequestLog {
  attempts = 0;
  /** Attempts by what came of them: `200`, `503`, `broken`, … */
  readonly outcomes = new Map<string, number>();
  /** When attempts broke or were refused for want of a service. */
  readonly interruptions: { at: number; service: string }[] = [];
  readonly #open = new Map<string, number>();

  /** Returns what is to be called when the attempt has ended. */
  begin(path: string): (outcome: Outcome) => void {
    const service = serviceOf(path);
    this.attempts += 1;
    this.#open.set(service, this.inFlight(service) + 1);
    return (outcome) => {
      this.#open.set(service, this.inFlight(service) - 1);
      const name = outcome === null ? 'broken' : String(outcome);
      this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
      if (outcome === null || outcome >= 500) {
        this.interruptions.push({ at: Date.now(), service });
      }
    };
  }

  /** Attempts under way at a service; all of them at the gateway. */
  inFlight(service: string): number {
    if (service !== 'gateway') return this.#open.get(service) ?? 0;
    return [...this.#open.values()].reduce((sum, each) => sum + each, 0);
  }
}

/** Who answers a path behind the gateway. */
function serviceOf(path: string): string {
  if (path.startsWith('/payments/quotes')) return 'quote';
  if (/^\/payments\/(withdraw|balances)/.test(path)) return 'withdrawal';
  if (path.startsWith('/orgs')) return 'webhook-dispatch';
  return 'payment';
}
