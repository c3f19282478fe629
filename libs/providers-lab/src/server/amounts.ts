export const ALL_BPS = 10_000;

const CENTS = 100;

export const cents = (amount: number): number => Math.round(amount * CENTS) / CENTS;

/** Text of a token amount, with at most eight decimals. */
export const tokenText = (amount: number, decimals: number): string =>
  amount.toFixed(Math.min(decimals, 8));
