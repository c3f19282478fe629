import type { FaultPoint } from '@bascule/process';
import { interceptFaultPoints } from '@bascule/process/testing';

/**
 * Stands in for the SIGKILL of a fault point within the test's own process: no caller gets past the armed point until
 * the trap is disarmed.
 */
export class FaultTrap {
  /** Resolves when the point was passed for so many times. */
  arm(point: FaultPoint, pass: number): Promise<void> {
    let passes = pass;
    return new Promise((resolve) => {
      interceptFaultPoints((passed) => {
        if (passed !== point) return;
        passes -= 1;
        if (passes > 0) return;
        resolve();
        throw new Error(`died at ${point}`);
      });
    });
  }

  disarm(): void {
    interceptFaultPoints(undefined);
  }
}
