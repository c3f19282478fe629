import { ServiceError } from '@bascule/contracts';

/** The submission would use more gas than the service spends on it. */
export class WithdrawalNeedsMoreGasError extends ServiceError {
  constructor(max: bigint) {
    const message =
      `The recipient or the owner's account needs more gas than the ${max} that the service pays for. ` +
      'Submit the signed withdrawal yourself.';
    super('invalid_request', [{ kind: 'other', message }]);
    this.name = 'WithdrawalNeedsMoreGasError';
  }
}
