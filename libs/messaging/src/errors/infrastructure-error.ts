import { isDatabaseBusy, isDatabaseUnavailable } from '@bascule/persistence';
import { TransportUnavailableError } from '../transport/transport.js';

/** Thrown by a handler whose dependencies are unavailable: consuming paused and no attempt is counted. */
export class InfrastructureError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InfrastructureError';
  }
}

const MAX_CAUSES = 5;

/** Searches an error and its causes for an infrastructure error. */
export const isInfrastructureError = (error: unknown): boolean =>
  someCause(
    error,
    (cause) =>
      cause instanceof InfrastructureError ||
      cause instanceof TransportUnavailableError ||
      isDatabaseUnavailable(cause) ||
      isDatabaseBusy(cause),
  );

/** Deadlocks and timeouts: infrastructure errors that an event's own handler may cause. */
export const isDatabaseContention = (error: unknown): boolean => someCause(error, isDatabaseBusy);

function someCause(error: unknown, is: (cause: unknown) => boolean): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current !== undefined && current !== null; depth += 1) {
    if (is(current)) return true;
    current = current instanceof Error ? current.cause : undefined;
  }
  return false;
}
