/**
 * SQL condition on `payments`: by its recorded facts the payment holds money; the same text as in the partial index
 * `payments_holding_funds_idx`. Rows that are older than the column count while they are funded.
 */
export const HOLDS_FUNDS = 'coalesce(holds_funds, funded)';
