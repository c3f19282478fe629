/**
 * The same for every organisation. Browsers keep it for half a minute; what stands between keeps it no longer than a
 * revoked key may work.
 */
export const PUBLIC_ANSWER = 'public, max-age=30, s-maxage=5';
/** May differ by organisation: nobody but the client keeps it. */
export const ORGANISATION_ANSWER = 'private, max-age=5';
/** Of this moment, or of this very client. */
export const NO_STORE = 'no-store';
