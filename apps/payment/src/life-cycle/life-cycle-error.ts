export type LifeCycleErrorCode = 'leg_not_startable' | 'unknown_leg';

/** Something was asked of a payment that its state does not allow; whoever asked decided on stale facts. */
export class LifeCycleError extends Error {
  constructor(
    readonly code: LifeCycleErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'LifeCycleError';
  }
}
