import { PAYMENT_STATUS_FACTS } from '@bascule/contracts';
import type { PaymentStatus } from '@bascule/contracts';

/** Leg that the payment has not executed on the withdrawal's chain. */
export interface UnfinishedLeg {
  inputToken: string;
  /** Smallest units that the leg needs in the wallet. */
  required: bigint;
}

export interface WithdrawnToken {
  token: string;
  balance: bigint;
  amount: bigint;
}

/**
 * True when the withdrawal ends the executor's rights on its chain: the payment is not complete, and the remaining balance
 * does not cover its unfinished leg.
 */
export function revokesExecutor(
  status: PaymentStatus,
  leg: UnfinishedLeg | null,
  withdrawn: readonly WithdrawnToken[],
): boolean {
  const { revokesExecutor: when } = PAYMENT_STATUS_FACTS[status];
  if (when !== 'when_leg_is_short') return when === 'always';
  if (leg === null) return false;
  const taken = withdrawn.find(({ token }) => token === leg.inputToken);
  return taken !== undefined && taken.balance - taken.amount < leg.required;
}
