import { ServiceError } from '@bascule/contracts';

/** Too many transactions of the payment's withdrawals were reverted at our cost. */
export class WithdrawalRevertsError extends ServiceError {
  constructor(max: number) {
    const message =
      `${max} submitted withdrawals of the payment were not executed, so the service submits no more of them. ` +
      'Submit the signed withdrawal yourself.';
    super('invalid_request', [{ kind: 'other', message }]);
    this.name = 'WithdrawalRevertsError';
  }
}
