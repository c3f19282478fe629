import { PAYMENT_STATUS_FACTS } from '@bascule/contracts';
import type { PaymentStatus } from '@bascule/contracts';

/** What the payment still has to do on the withdrawal's chain. */
export interface UnfinishedLeg {
  inputToken: string;
  /** Smallest units that have to be in the wallet for the leg to run. */
  required: bigint;
}

export interface WithdrawnToken {
  token: string;
  balance: bigint;
  amount: bigint;
}

/**
 * Whether the withdrawal ends the executor's rights on its chain: not when the payment is complete, and not when what
 * stays in the wallet still covers the leg that has not run.
 */
export function acceptsBlame(
  status: PaymentStatus,
  leg: UnfinishedLeg | null,
  withdrawn: readonly WithdrawnToken[],
): boolean {
  const { revokesExecutor } = PAYMENT_STATUS_FACTS[status];
  if (revokesExecutor !== 'when_leg_is_short') return revokesExecutor === 'always';
  if (leg === null) return false;
  const taken = withdrawn.find(({ token }) => token === leg.inputToken);
  return taken !== undefined && taken.balance - taken.amount < leg.required;
}
