import { isDatabaseBusy, isDatabaseUnavailable } from '@bascule/persistence';
import { TransportUnavailableError } from '../transport/transport.js';

/** Thrown by a handler that cannot work now through no fault of the event: consuming pauses, and it is not an attempt. */
export class InfrastructureError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InfrastructureError';
  }
}

const MAX_CAUSES = 5;

/** Looks through the causes of an error. */
export const isInfrastructureError = (error: unknown): boolean =>
  someCause(
    error,
    (cause) =>
      cause instanceof InfrastructureError ||
      cause instanceof TransportUnavailableError ||
      isDatabaseUnavailable(cause) ||
      isDatabaseBusy(cause),
  );

/** Of infrastructure errors the kind that an event may bring about itself: a statement of its handler that never ends. */
export const isCrowding = (error: unknown): boolean => someCause(error, isDatabaseBusy);

function someCause(error: unknown, is: (cause: unknown) => boolean): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current !== undefined && current !== null; depth += 1) {
    if (is(current)) return true;
    current = current instanceof Error ? current.cause : undefined;
  }
  return false;
}
