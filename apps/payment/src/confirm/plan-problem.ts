import { parseTokenIdentifier } from '@bascule/contracts';
import type { PaymentPlan } from '@bascule/contracts';
import { isSame } from './addresses.js';
import { tokensOf } from './payment-terms.js';

/** Why an address can be neither owner nor destination of this payment: nobody signs for it, and nothing comes back. */
export function planProblem(address: string, plan: PaymentPlan): string | undefined {
  const tokens = tokensOf(plan).map((token) => parseTokenIdentifier(token).address);
  if (tokens.some((token) => isSame(token, address))) {
    return 'The address is the contract of a token of this payment.';
  }
  return plan.legs.some(({ bridge }) => bridge !== undefined && isSame(bridge.adapter, address))
    ? 'The address is the contract of a bridge of this payment.'
    : undefined;
}
