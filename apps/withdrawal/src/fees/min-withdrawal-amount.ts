/** Smallest amount that leaves something for the recipient. */
export const minWithdrawalAmount = (fee: bigint): bigint => fee + 1n;
