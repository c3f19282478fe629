import { formatAmount } from '@bascule/amounts';
import type { AmountIssue } from '@bascule/contracts';
import type { Amount } from '../fees/fee-breakdown.js';

/** Nothing that can be paid out would be left of `deposit` after fees; `min` is the least that leaves something. */
export function tooLittle(o: {
  input: Amount;
  deposit: Amount;
  networkFee: bigint;
  chain: string;
}): AmountIssue {
  const { input, deposit, networkFee, chain } = o;
  const isEaten = networkFee >= deposit.units;
  const min = isEaten ? formatAmount(networkFee + 1n, deposit.decimals) : null;
  const limits = { min, max: null };
  const issue = {
    asset: input.asset,
    given: formatAmount(input.units, input.decimals),
    source: chain,
    message: `The network fee of ${chain} leaves ${isEaten ? 'nothing' : 'too little'} of the amount.`,
    reason: 'TOO_LOW',
  } as const;
  return input.asset === deposit.asset
    ? { kind: 'amount', limits, ...issue }
    : {
        kind: 'amount-downstream',
        limits: { min: null, max: null },
        downstream_limits: limits,
        ...issue,
      };
}
