/**
 * Gas of whole withdrawals of one token: its transfer, that of the fee, the bookkeeping, and where the wallet is not
 * there yet its deployment. Measured.
 */
export const WITHDRAWAL_GAS = {
  token: { deployed: 122_000n, undeployed: 225_000n },
  native: { deployed: 128_000n, undeployed: 214_000n },
} as const;
