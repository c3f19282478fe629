import { formatAmount } from '@bascule/amounts';
import type { AmountIssue } from '@bascule/contracts';
import type { Amount } from '../routes/fee-breakdown.js';

/** Nothing that can be used would be left of `arriving` after the fee; `min` is the least that leaves something. */
export function tooLittle(o: {
  /** By the customer. */
  given: Amount;
  arriving: Amount;
  networkFee: bigint;
  chain: string;
}): AmountIssue {
  const { given, arriving, networkFee, chain } = o;
  const isEaten = networkFee >= arriving.units;
  const min = isEaten ? formatAmount(networkFee + 1n, arriving.decimals) : null;
  const limits = { min, max: null };
  const issue = {
    asset: given.asset,
    given: formatAmount(given.units, given.decimals),
    source: chain,
    message: `The network fee of ${chain} leaves ${isEaten ? 'nothing' : 'too little'} of the amount.`,
    reason: 'TOO_LOW',
  } as const;
  return given.asset === arriving.asset
    ? { kind: 'amount', limits, ...issue }
    : {
        kind: 'amount-downstream',
        limits: { min: null, max: null },
        downstream_limits: limits,
        ...issue,
      };
}
