/** Margin for changes of state between the estimate and the block. */
const MARGIN_PERCENT = 140n;
/** Share of the affordable gas that leaves room for a price that rises until the block. */
const AFFORDABLE_PERCENT = 90n;

/**
 * Gas limit for an estimate that is at most `max` and at most what is affordable.
 * @param affordable gas that a bound of the cost pays for now; of two nodes' data fees the lower one counts where the
 * estimate exceeds the least. Null without a bound.
 */
export function gasLimit(
  estimate: bigint,
  max: bigint,
  affordable: { least: bigint; most: bigint } | null = null,
): bigint {
  const wanted = smaller((estimate * MARGIN_PERCENT) / 100n, max);
  if (affordable === null) return wanted;
  const { least, most } = affordable;
  const roomy = ((least < estimate ? most : least) * AFFORDABLE_PERCENT) / 100n;
  return smaller(wanted, roomy > estimate ? roomy : estimate);
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
