/** Submitted withdrawals of a payment that may end without their execution, each at our cost. */
export const MAX_UNEXECUTED = 5;

/** Submitted withdrawals of a payment. */
export interface Submitted {
  /** Ended without their execution. */
  unexecuted: number;
  /** In flight beside the one that asks, on any chain: each of them may end like that. */
  inFlight: number;
}

/** Whether another withdrawal of the payment may be submitted: now, once one in flight has ended, or never. */
export function submissionTurn({ unexecuted, inFlight }: Submitted): 'now' | 'later' | 'never' {
  if (unexecuted >= MAX_UNEXECUTED) return 'never';
  return unexecuted + inFlight < MAX_UNEXECUTED ? 'now' : 'later';
}
