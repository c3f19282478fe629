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

const ENDED: ReadonlySet<PaymentStatus> = new Set(['FAILED', 'EXPIRED', 'WITHDRAWN']);

/**
 * Whether the withdrawal ends the executor's rights on its chain: not when the payment is complete, and not when what
 * stays in the wallet still covers the leg that has not run.
 */
export function acceptsBlame(
  status: PaymentStatus,
  leg: UnfinishedLeg | null,
  withdrawn: readonly WithdrawnToken[],
): boolean {
  if (status === 'COMPLETE') return false;
  if (ENDED.has(status)) return true;
  if (leg === null) return false;
  const taken = withdrawn.find(({ token }) => token === leg.inputToken);
  return taken !== undefined && taken.balance - taken.amount < leg.required;
}
