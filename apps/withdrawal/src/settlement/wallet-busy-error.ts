import { ServiceError } from '@bascule/contracts';

/** Another withdrawal of the wallet is in flight on the chain, and may take the same money. */
export class WalletBusyError extends ServiceError {
  constructor(
    /** Withdrawal in flight. */
    readonly withdrawId: string,
  ) {
    const message =
      'Another withdrawal of the payment is in flight on this chain. Try again once it has ended.';
    super('unavailable', [{ kind: 'other', message }]);
    this.name = 'WalletBusyError';
  }
}
