/** Enabled revenue shares of one organisation. */
export const MAX_REVENUE_SHARES = 32;
/** Receivers of a revenue share on one chain; each costs the payer gas. */
export const MAX_RECEIVERS = 4;
