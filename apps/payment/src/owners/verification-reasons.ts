import { compareDecimals } from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import type { DecimalString, VerificationReason } from '@bascule/contracts';

export interface VerificationThresholds {
  /** From this value on, the owner must have signed once. */
  ownerVerificationUsd: DecimalString;
  /** From this value on, a withdrawal of each payment is signed and simulated. */
  withdrawalSimulationUsd: DecimalString;
}

/** Signatures that a payment of this value requires, of an owner that has given none yet; in the order of the rounds. */
export function verificationReasons(
  valueUsd: Decimal,
  { ownerVerificationUsd, withdrawalSimulationUsd }: VerificationThresholds,
  simulateWithdrawal: boolean,
): VerificationReason[] {
  const reaches = (threshold: DecimalString) => compareDecimals(valueUsd, threshold) >= 0;
  return [
    ...(reaches(ownerVerificationUsd) ? (['EVM_OWNER'] as const) : []),
    ...(simulateWithdrawal || reaches(withdrawalSimulationUsd)
      ? (['EVM_WITHDRAWAL'] as const)
      : []),
  ];
}
