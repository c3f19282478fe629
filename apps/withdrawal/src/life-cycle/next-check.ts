interface Expiry {
  expiresAt: Date;
  now: Date;
  /** Age of a final block. */
  finalityMs: number;
  minMs: number;
}

/** Longest pause between checks while the chain produces no block after the expiry. */
const MAX_MS = 300_000;

/**
 * Milliseconds until the next check of a withdrawal that only others can submit: until its expiry is final. A later final
 * block is awaited as long again as was waited before, so that a chain without blocks costs few requests.
 */
export function untilExpiryCheck({ expiresAt, now, finalityMs, minMs }: Expiry): number {
  const past = now.getTime() - expiresAt.getTime();
  return past < finalityMs ? finalityMs - past : Math.min(Math.max(past, minMs), MAX_MS);
}
