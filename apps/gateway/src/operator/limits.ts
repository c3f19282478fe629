/** Enabled revenue shares of one organisation. */
export const MAX_REVENUE_SHARES = 32;
/** Edge rules whose edges are open to one organisation. */
export const MAX_OPENED_EDGES = 64;
/** Redirect origins of one organisation. */
export const MAX_REDIRECT_ORIGINS = 32;
/** Receivers of a revenue share on one chain; each costs the payer gas. */
export const MAX_RECEIVERS = 4;
/** Largest quota of an organisation: reading its usage takes tens of milliseconds. */
export const MAX_QUOTA = 100_000;
