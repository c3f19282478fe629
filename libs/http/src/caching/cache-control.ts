/**
 * The same for every organisation, so that caches between may keep it, too: no longer than a change may take to be seen
 * everywhere. They have to tell keys apart (`Vary: Authorization`), or they answer whoever has none.
 */
export const PUBLIC_ANSWER = 'public, max-age=5';
/** May differ by organisation: nobody but the client keeps it. */
export const ORGANISATION_ANSWER = 'private, max-age=5';
/** Of this moment, or of this very client. */
export const NO_STORE = 'no-store';
