import { formatAmount } from '@bascule/amounts';
import type { AmountIssue, AmountLimits } from '@bascule/contracts';
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
import { RouteFailure } from '../routes/route-failure.js';

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

/**
 * Estimates the input of which `limit` reaches the bridge, from an amount that was offered to it.
 * @throws MissingPriceError
 */
export function bridgeInput(
  limit: bigint,
  transfer: OfferedTransfer,
  side: keyof UnitLimits,
): bigint {
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
 * Estimates the limits of a bridge in the asset of the request, from an amount that it accepts. Inputs between them
 * may still be refused for another reason than these limits.
 * @throws MissingPriceError
 */
export function bridgeInputLimits(limits: UnitLimits, transfer: OfferedTransfer): AmountLimits {
  const { min, max } = limits;
  const inInput = {
    ...(min !== undefined && { min: bridgeInput(min, transfer, 'min') }),
    ...(max !== undefined && { max: bridgeInput(max, transfer, 'max') }),
  };
  return formatLimits(inInput, transfer.input.decimals);
}

/** Amount outside the limits of a bridge. */
export interface RefusedTransfer {
  bridge: string;
  reason: 'TOO_LOW' | 'TOO_HIGH' | 'NO_VALID_AMOUNT';
  /** Limits of the bridge, in the offered token. */
  limits: UnitLimits;
  transfer: OfferedTransfer;
}

/** Amount that a bridge refuses by its limits. Inputs that work are not known yet. */
export class BridgeLimitFailure extends RouteFailure {
  constructor(readonly refused: RefusedTransfer) {
    super([refused.bridge], [bridgeLimitIssue(refused, {})]);
  }
}

/** Null for an amount within the limits, also after slippage. */
export function limitReason(
  { sent, minSent }: OfferedTransfer,
  { min, max }: UnitLimits,
): RefusedTransfer['reason'] | null {
  if (min !== undefined && max !== undefined && min > max) return 'NO_VALID_AMOUNT';
  if (min !== undefined && minSent < min) return 'TOO_LOW';
  return max !== undefined && sent.units > max ? 'TOO_HIGH' : null;
}

/** @param inputs inputs that work, in the asset of the request */
export function bridgeLimitIssue(
  { bridge, reason, limits, transfer }: RefusedTransfer,
  inputs: AmountLimits,
): AmountIssue {
  const { input, sent, minSent, symbol } = transfer;
  const own = formatLimits(limits, sent.decimals);
  const offered = formatAmount(reason === 'TOO_LOW' ? minSent : sent.units, sent.decimals);
  const least = reason === 'TOO_LOW' && minSent < sent.units ? 'at least ' : '';
  const accepted =
    reason === 'NO_VALID_AMOUNT' ? `no amount of ${symbol} now` : rangeText(own, symbol);
  return amountIssue(input, {
    ...{ source: bridge, reason, limits: inputs },
    ...(!isSameToken(transfer) && reason !== 'NO_VALID_AMOUNT' && { downstreamLimits: own }),
    because: `which becomes ${least}${offered} ${symbol}, but ${bridge} accepts ${accepted}.`,
  });
}
