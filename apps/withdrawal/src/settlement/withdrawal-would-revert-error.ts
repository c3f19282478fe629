/** The simulated withdrawal reverted. */
export class WithdrawalWouldRevertError extends Error {
  constructor(
    /** Error name of the wallet, the escrow or a token; null for another contract. */
    readonly contractError: string | null,
    cause: unknown,
  ) {
    super(`the withdrawal would revert: ${contractError ?? 'unknown reason'}`, { cause });
    this.name = 'WithdrawalWouldRevertError';
  }
}
