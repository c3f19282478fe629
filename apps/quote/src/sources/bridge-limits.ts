import { formatAmount } from '@bascule/amounts';
import type { AmountIssue, AmountIssueReason, AmountLimits } from '@bascule/contracts';
import { amountIssue, rangeText, type GivenAmount } from '../routes/amount-issue.js';
import type { Amount } from '../routes/amount.js';
import {
  formatLimits,
  inputReaching,
  roundLimit,
  type UnitLimits,
} from '../routes/input-limits.js';
import type { PriceBook } from '../routes/price-book.js';
import { amountBefore, type Deductions } from '../routes/revenue-share.js';

/** Network fees change from block to block: limits allow for a tenth more or less. */
const FEE_CHANGE = 10n;

export interface OfferedTransfer {
  /** Amount that the customer gives. */
  input: GivenAmount;
  /** Amount that reaches the leg. */
  legInput: Amount;
  /** Amount offered to the bridge. */
  sent: Amount;
  /** Least amount that slippage before the bridge may leave, in smallest units. */
  minSent: bigint;
  /** Symbol of the offered token. */
  symbol: string;
  /** Deductions of the leg, in its input token. */
  deducted: Deductions;
  prices: PriceBook;
}

const isSameToken = ({ input, sent }: OfferedTransfer): boolean => input.asset === sent.asset;

function inputLimit(limit: bigint, transfer: OfferedTransfer, side: keyof UnitLimits): bigint {
  const { input, legInput, sent, minSent, deducted, prices } = transfer;
  if (!isSameToken(transfer)) {
    const networkFees = [{ ...legInput, units: deducted.fee }];
    const reached = side === 'min' ? { ...sent, units: minSent } : sent;
    return inputReaching(limit, { input, reached, networkFees }, prices, side);
  }
  const change = deducted.fee / FEE_CHANGE;
  const fee = side === 'min' ? deducted.fee + change : deducted.fee - change;
  return roundLimit(amountBefore(limit, { ...deducted, fee }), side);
}

/**
 * Limits of a bridge in the asset of the request; estimates where it takes another token. Empty where no amount is
 * within them.
 * @throws MissingPriceError
 */
export function bridgeInputLimits(limits: UnitLimits, transfer: OfferedTransfer): AmountLimits {
  const { min, max } = limits;
  const inInput = {
    ...(min !== undefined && { min: inputLimit(min, transfer, 'min') }),
    ...(max !== undefined && { max: inputLimit(max, transfer, 'max') }),
  };
  const isEmpty = (inInput.min ?? 0n) > (inInput.max ?? inInput.min ?? 0n);
  return isEmpty ? {} : formatLimits(inInput, transfer.input.decimals);
}

/** Null for an amount within the limits, also after slippage. */
function limitReason(
  { sent, minSent }: OfferedTransfer,
  { min, max }: UnitLimits,
): AmountIssueReason | null {
  if (min !== undefined && max !== undefined && min > max) return 'NO_VALID_AMOUNT';
  if (min !== undefined && minSent < min) return 'TOO_LOW';
  return max !== undefined && sent.units > max ? 'TOO_HIGH' : null;
}

/** Issue of an amount outside the bridge's limits, or null. @throws MissingPriceError */
export function bridgeLimitIssue(
  bridge: string,
  limits: UnitLimits,
  transfer: OfferedTransfer,
): AmountIssue | null {
  const { input, sent, minSent, symbol } = transfer;
  const reason = limitReason(transfer, limits);
  if (reason === null) return null;
  if (reason === 'NO_VALID_AMOUNT') {
    const because = `but ${bridge} accepts no amount of ${symbol} now.`;
    return amountIssue(input, { source: bridge, reason, because });
  }
  const own = formatLimits(limits, sent.decimals);
  const inInput = bridgeInputLimits(limits, transfer);
  if (isSameToken(transfer)) {
    const because = `but ${bridge} accepts ${rangeText(inInput, symbol)}.`;
    return amountIssue(input, { source: bridge, reason, limits: inInput, because });
  }
  const becomes =
    reason === 'TOO_LOW'
      ? `at least ${formatAmount(minSent, sent.decimals)}`
      : formatAmount(sent.units, sent.decimals);
  return amountIssue(input, {
    ...{ source: bridge, reason, limits: inInput, downstreamLimits: own },
    because: `which becomes ${becomes} ${symbol}, but ${bridge} accepts ${rangeText(own, symbol)}.`,
  });
}
