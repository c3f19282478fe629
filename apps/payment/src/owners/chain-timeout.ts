/** Deadline of a chain's answer about an owner. */
export const CHAIN_TIMEOUT_MS = 5_000;
