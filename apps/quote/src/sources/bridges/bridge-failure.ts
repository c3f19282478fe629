import { formatAmount } from '@bascule/amounts';
import type { AmountIssue, AmountIssueReason, AmountLimits, Issue } from '@bascule/contracts';
import type { BridgeLimits, BridgeRefusedError } from '@bascule/venues';
import type { Amount } from '../../routes/fee-breakdown.js';
import { TimeoutError } from '@bascule/process';
import { RouteFailure } from '../../routes/route-failure.js';

/** Strangers' words are kept short. */
const LONGEST_MESSAGE = 200;

/** A bridge that could not be asked, as the client may see it. */
export function unavailableBridge(bridge: string, error: unknown): RouteFailure {
  const what = error instanceof TimeoutError ? 'did not answer in time' : 'cannot be asked now';
  const message = `${bridge}: ${what}`;
  return new RouteFailure([bridge], [{ kind: 'provider', message }], { cause: error });
}

/** Null for an amount within the limits. */
function reasonOf(amount: bigint, { min, max }: BridgeLimits): AmountIssueReason | null {
  if (min !== undefined && max !== undefined && min > max) return 'NO_VALID_AMOUNT';
  if (min !== undefined && amount < min) return 'TOO_LOW';
  return max !== undefined && amount > max ? 'TOO_HIGH' : null;
}

interface Refused {
  /** What the customer gives. */
  input: Amount;
  /** What was to be bridged. */
  sent: Amount;
  /** What the leg takes before, in the token that enters it. */
  networkFee: bigint;
}

/** A bridge that does not carry this; its own words are shown where no other amount would help. */
export function refusedByBridge(error: BridgeRefusedError, refused: Refused): RouteFailure {
  const { bridge, message } = error;
  const issue: Issue = limitIssue(error, refused) ?? {
    kind: 'provider',
    message: message.slice(0, LONGEST_MESSAGE),
  };
  return new RouteFailure([bridge], [issue], { cause: error });
}

function limitIssue(
  { bridge, limits = {} }: BridgeRefusedError,
  { input, sent, networkFee }: Refused,
): AmountIssue | null {
  const reason = reasonOf(sent.units, limits);
  if (reason === null) return null;
  const isInput = input.asset === sent.asset;
  const inWords = (limit: bigint | undefined): string | null =>
    limit === undefined ? null : formatAmount(limit + (isInput ? networkFee : 0n), sent.decimals);
  const own: AmountLimits = { min: inWords(limits.min), max: inWords(limits.max) };
  const issue = {
    asset: input.asset,
    given: formatAmount(input.units, input.decimals),
    source: bridge,
    message: `${bridge} carries ${own.min ?? '0'} to ${own.max ?? 'any amount of'} ${sent.asset}.`,
    reason,
  };
  return isInput
    ? { kind: 'amount', limits: own, ...issue }
    : {
        kind: 'amount-downstream',
        limits: { min: null, max: null },
        downstream_limits: own,
        ...issue,
      };
}
