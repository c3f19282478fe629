/** Longest time of a request to a node, its body included. */
export const REQUEST_TIMEOUT_MS = 10_000;

/** Deadline of a worker's pass that asks nodes: one may time out in it, and the next one answer. */
export const NODE_PASS_MS = REQUEST_TIMEOUT_MS + 5_000;

/** Lease of the row of such a pass: it outlasts the deadline. */
export const NODE_PASS_LEASE_MS = NODE_PASS_MS + 5_000;
