/**
 * The same for every organisation, so that caches between may keep it, too: for as long as a change or a revoked key may
 * still be unseen, beside what the gateway remembers a key for. They have to tell keys apart (`Vary: Authorization`), or
 * they answer whoever has none.
 */
export const PUBLIC_ANSWER = 'public, max-age=2';
/** May differ by organisation: nobody but the client keeps it. */
export const ORGANISATION_ANSWER = 'private, max-age=2';
/** Answers of this moment or of this client only. */
export const NO_STORE = 'no-store';
