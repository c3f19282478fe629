import { compareDecimals, formatAmount } from '@bascule/amounts';
import type { AmountIssue, AmountIssueReason, AmountLimits, Issue } from '@bascule/contracts';
import { TimeoutError } from '@bascule/process';
import { ProviderError } from '@bascule/providers';
import type { BridgeLimits, BridgeRefusedError } from '@bascule/venues';
import type { Amount } from '../routes/fee-breakdown.js';
import { amountBefore, type Deductions } from '../routes/revenue-share.js';
import { RouteFailure } from '../routes/route-failure.js';
import type { Ramp } from '../routes/route.js';

/** Maximum length of a bridge's own message in a response. */
const MAX_MESSAGE_LENGTH = 200;

const unavailable = (source: string, reason: string, cause: unknown): RouteFailure =>
  new RouteFailure([source], [{ kind: 'provider', message: `${source}: ${reason}` }], { cause });

/** Client-facing failure of a request to an onramp. @throws an error that is no provider's */
export function onrampFailure(provider: string, error: unknown): RouteFailure {
  if (error instanceof RouteFailure) return error;
  if (error instanceof ProviderError) {
    return new RouteFailure([provider], error.issues, { cause: error });
  }
  if (!(error instanceof TimeoutError)) throw error;
  return unavailable(provider, 'timed out', error);
}

/** Issue of an amount outside a ramp's limits, or null. */
export function rampLimitIssue(ramp: Ramp, input: Amount): AmountIssue | null {
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
    message: `${ramp.provider} accepts ${String(min)} to ${String(max)} ${input.asset} by ${ramp.method}.`,
    reason: isLow ? 'TOO_LOW' : 'TOO_HIGH',
  };
}

/** Distinct limits of ramps. */
export function distinctLimits(ramps: readonly Ramp[]): AmountLimits[] {
  const distinct = new Map(
    ramps.map(({ limits }) => [`${String(limits.min)}/${String(limits.max)}`, limits]),
  );
  return [...distinct.values()];
}

/** Client-facing failure of a bridge that timed out or is unavailable. */
export const unavailableBridge = (bridge: string, error: unknown): RouteFailure =>
  unavailable(bridge, error instanceof TimeoutError ? 'timed out' : 'is unavailable', error);

export interface RefusedTransfer {
  /** Amount that the customer gives. */
  input: Amount;
  /** Amount offered to the bridge. */
  sent: Amount;
  /** Deductions of the leg, in its input token. */
  deducted: Deductions;
}

/** Client-facing failure of a refusal; includes the bridge's message where no other amount would help. */
export function refusedByBridge(error: BridgeRefusedError, refused: RefusedTransfer): RouteFailure {
  const { bridge, message } = error;
  const issue: Issue = bridgeLimitIssue(error, refused) ?? {
    kind: 'provider',
    message: message.slice(0, MAX_MESSAGE_LENGTH),
  };
  return new RouteFailure([bridge], [issue], { cause: error });
}

/** Null for an amount within the limits. */
function limitReason(amount: bigint, { min, max }: BridgeLimits): AmountIssueReason | null {
  if (min !== undefined && max !== undefined && min > max) return 'NO_VALID_AMOUNT';
  if (min !== undefined && amount < min) return 'TOO_LOW';
  return max !== undefined && amount > max ? 'TOO_HIGH' : null;
}

function bridgeLimitIssue(
  { bridge, limits = {} }: BridgeRefusedError,
  { input, sent, deducted }: RefusedTransfer,
): AmountIssue | null {
  const reason = limitReason(sent.units, limits);
  if (reason === null) return null;
  const isInput = input.asset === sent.asset;
  const format = (limit: bigint | undefined): string | null =>
    limit === undefined
      ? null
      : formatAmount(isInput ? amountBefore(limit, deducted) : limit, sent.decimals);
  const own: AmountLimits = { min: format(limits.min), max: format(limits.max) };
  const issue = {
    asset: input.asset,
    given: formatAmount(input.units, input.decimals),
    source: bridge,
    message: `${bridge} accepts ${own.min ?? '0'} to ${own.max ?? 'any amount of'} ${sent.asset}.`,
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
