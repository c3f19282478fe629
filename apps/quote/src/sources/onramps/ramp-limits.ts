import { compareDecimals, formatAmount } from '@bascule/amounts';
import type { AmountIssue, AmountLimits } from '@bascule/contracts';
import type { Amount } from '../../routes/fee-breakdown.js';
import type { Ramp } from '../../routes/route.js';

/** The issue of an amount outside a ramp's limits, or null. */
export function limitIssue(ramp: Ramp, input: Amount): AmountIssue | null {
  const given = formatAmount(input.units, input.decimals);
  const { min, max } = ramp.limits;
  const isLow = min !== null && compareDecimals(given, min) < 0;
  const isHigh = max !== null && compareDecimals(given, max) > 0;
  if (!isLow && !isHigh) return null;
  return {
    kind: 'amount',
    asset: input.asset,
    given,
    limits: ramp.limits,
    source: ramp.provider,
    message: `${ramp.provider} takes ${String(min)} to ${String(max)} ${input.asset} by ${ramp.method}.`,
    reason: isLow ? 'TOO_LOW' : 'TOO_HIGH',
  };
}

/** The limits of all ramps that could serve a request, each once. */
export function distinctLimits(ramps: readonly Ramp[]): AmountLimits[] {
  const distinct = new Map(
    ramps.map(({ limits }) => [`${String(limits.min)}/${String(limits.max)}`, limits]),
  );
  return [...distinct.values()];
}
