import { ServiceError } from '@bascule/contracts';

/** The payment has used up meanwhile what the service adds to its fees. */
export class SubsidiesUsedError extends ServiceError {
  constructor() {
    const message = 'Other withdrawals of the payment were submitted just now. Try again.';
    super('unavailable', [{ kind: 'other', message }]);
    this.name = 'SubsidiesUsedError';
  }
}
