import { ServiceError } from '@bascule/contracts';

/** The gas costs more now than the fee, which has to repay all of it. */
export class GasPriceRoseError extends ServiceError {
  constructor(network: string) {
    const message =
      `The gas price on ${network} has risen above what the withdrawal's fee repays. ` +
      'Try again when it has fallen, or request a new withdrawal.';
    super('unavailable', [{ kind: 'other', message }]);
    this.name = 'GasPriceRoseError';
  }
}
