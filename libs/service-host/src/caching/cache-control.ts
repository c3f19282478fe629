/**
 * For answers that are the same for every key of both modes, which shared caches may store for as long as a change or a
 * revoked key may stay unnoticed, beside the key cache of the gateway. Such caches must distinguish keys (`Vary:
 * Authorization`), or they would answer clients without one.
 */
export const PUBLIC_ANSWER = 'public, max-age=2';
/** For answers that may differ by organisation or mode of the key; only the client may store them. */
export const ORGANISATION_ANSWER = 'private, max-age=2';
/** For answers that no cache may store. */
export const NO_STORE = 'no-store';
