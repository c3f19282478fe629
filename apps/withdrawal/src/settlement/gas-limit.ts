/** Margin for changes of state between the estimate and the block. */
const MARGIN_PERCENT = 140n;

/** Gas limit for an estimate that is at most `max`. */
export function gasLimit(estimate: bigint, max: bigint): bigint {
  const wanted = (estimate * MARGIN_PERCENT) / 100n;
  return wanted < max ? wanted : max;
}
