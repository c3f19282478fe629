import type { Deployment } from './deployment.js';

/** `unknown`: could not be read, so that nothing is proven; it fails the preflight as the others do. */
export type FindingState = 'ok' | 'missing' | 'wrong' | 'unknown';

/** Result about one subject of a check. */
export interface Finding {
  check: string;
  subject: string;
  state: FindingState;
  /** Short facts that were found; never a secret. */
  found?: string;
  /** Action of the operator; absent where the state is `ok`. */
  action?: string;
}

/** Finding whose check, and often whose subject, are known from its probe. */
export type Outcome = Omit<Finding, 'check' | 'subject'> & { subject?: string };

/** One question about one subject; it fails and times out alone. */
export interface Probe {
  subject: string;
  read: (signal: AbortSignal) => Promise<readonly Outcome[]>;
}

/** Kind of question, with one probe for each subject of a deployment. */
export interface Check {
  name: string;
  probes(deployment: Deployment): readonly Probe[];
}

export const ok = (found?: string): Outcome => ({ state: 'ok', ...(found && { found }) });

const failed =
  (state: Exclude<FindingState, 'ok'>) =>
  (found: string, action: string): Outcome => ({ state, found, action });

export const missing = failed('missing');
export const wrong = failed('wrong');
export const unknown = failed('unknown');
