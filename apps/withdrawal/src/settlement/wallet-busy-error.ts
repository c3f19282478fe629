import { ServiceError } from '@bascule/contracts';

/** Another withdrawal of the wallet is in flight, and may take the same money, or too many are that may revert. */
export class WalletBusyError extends ServiceError {
  constructor(
    /** Withdrawal in flight. */
    readonly withdrawId: string,
  ) {
    const message = 'Another withdrawal of the payment is in flight. Try again once it has ended.';
    super('unavailable', [{ kind: 'other', message }]);
    this.name = 'WalletBusyError';
  }
}
