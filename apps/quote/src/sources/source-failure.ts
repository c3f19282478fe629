import { compareDecimals, formatAmount } from '@bascule/amounts';
import type { AmountIssue, Issue } from '@bascule/contracts';
import { TimeoutError } from '@bascule/process';
import { ProviderError } from '@bascule/providers';
import type { BridgeRefusedError } from '@bascule/venues';
import {
  amountIssue,
  possibleLimits,
  rangeText,
  type GivenAmount,
} from '../routes/amount-issue.js';
import { RouteFailure } from '../routes/route-failure.js';
import type { Ramp } from '../routes/route.js';
import {
  BridgeLimitFailure,
  bridgeLimitIssue,
  limitReason,
  type OfferedTransfer,
} from './bridge-limits.js';

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

/** Failure of an onramp that claims to sell too much. */
export const oversizedCoverage = (provider: string): RouteFailure =>
  unavailable(provider, 'claims to sell too many combinations', undefined);

/** Failure of a provider with its amount issues told about the given amount. */
export function refusedByOnramp(failure: RouteFailure, input: GivenAmount): RouteFailure {
  const { serviceIds, issues } = failure;
  const told = issues.map((issue) => {
    if (issue.kind !== 'amount') return issue;
    const { source, reason } = issue;
    const limits = possibleLimits(issue.limits);
    const because = `but ${source} accepts ${rangeText(limits, input.symbol)}.`;
    return amountIssue(input, { source, reason, limits, because });
  });
  return new RouteFailure(serviceIds, told, { cause: failure });
}

/** Issue of an amount outside a ramp's limits, or null. */
export function rampLimitIssue(ramp: Ramp, input: GivenAmount): AmountIssue | null {
  const { provider, method, limits } = ramp;
  const given = formatAmount(input.units, input.decimals);
  const isLow = limits.min !== undefined && compareDecimals(given, limits.min) < 0;
  const isHigh = limits.max !== undefined && compareDecimals(given, limits.max) > 0;
  if (!isLow && !isHigh) return null;
  return amountIssue(input, {
    ...{ source: provider, reason: isLow ? 'TOO_LOW' : 'TOO_HIGH', limits },
    because: `but ${provider} accepts ${rangeText(limits, input.symbol)} by ${method}.`,
  });
}

/** Client-facing failure of a bridge that timed out or is unavailable. */
export const unavailableBridge = (bridge: string, error: unknown): RouteFailure =>
  unavailable(bridge, error instanceof TimeoutError ? 'timed out' : 'is unavailable', error);

/** Client-facing failure of a refusal; includes the bridge's message where no other amount would help. */
export function refusedByBridge(
  { bridge, message, limits = {} }: BridgeRefusedError,
  transfer: OfferedTransfer,
): RouteFailure {
  const reason = limitReason(transfer, limits);
  if (reason === null) {
    const issue: Issue = { kind: 'provider', message: message.slice(0, MAX_MESSAGE_LENGTH) };
    return new RouteFailure([bridge], [issue]);
  }
  const refused = { bridge, reason, limits, transfer };
  return reason === 'NO_VALID_AMOUNT'
    ? new RouteFailure([bridge], [bridgeLimitIssue(refused, {})])
    : new BridgeLimitFailure(refused);
}
