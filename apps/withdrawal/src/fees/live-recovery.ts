import type { Chain } from '@bascule/chain';
import { invalidRequest } from '@bascule/contracts';
import type { ServiceError } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';

/** Whether the fee has to repay all gas: the operator does not pay for money that a test key recovers on a live chain. */
export const mustRepayGas = ({ mode }: Caller, { definition }: Chain): boolean =>
  mode === 'test' && !definition.isTestnet;

/** Refuses a withdrawal whose fee does not repay its gas. */
export const unpaidGas = ({ definition }: Chain): ServiceError =>
  invalidRequest({
    kind: 'other',
    message:
      `A test payment's withdrawal on ${definition.network} must repay its gas, and this fee does not. ` +
      `Withdraw together with a token whose withdrawal_fee is above 0, such as ` +
      `${definition.nativeCurrency.symbol}, or wait for a price.`,
  });
