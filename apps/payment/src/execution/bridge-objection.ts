import type { BridgeQuote } from '@bascule/venues';
import type { LegFailure, PaymentRecord } from '../life-cycle/payment-record.js';

/** Why money is not to be handed to a bridge on these terms; null when it may. */
export function bridgeObjection(
  { plan, declarationExpiresAt }: PaymentRecord,
  legIndex: number,
  { delivered, latencySeconds }: Pick<BridgeQuote, 'delivered' | 'latencySeconds'>,
  now: Date,
): LegFailure | null {
  const least = plan.legs[legIndex]?.bridge?.min_bridged;
  if (least === undefined || delivered < BigInt(least)) {
    return { reason: 'bridge', message: 'The bridge does not deliver the declared minimum.' };
  }
  if (now.getTime() + latencySeconds * 1000 >= declarationExpiresAt.getTime()) {
    return { reason: 'expired', message: 'The declaration expires before the bridge delivers.' };
  }
  return null;
}
