import { isDatabaseUnavailable } from '@bascule/persistence';
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
export function isInfrastructureError(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current !== undefined && current !== null; depth += 1) {
    if (current instanceof InfrastructureError || current instanceof TransportUnavailableError) {
      return true;
    }
    if (isDatabaseUnavailable(current)) return true;
    current = current instanceof Error ? current.cause : undefined;
  }
  return false;
}
