import { ordinaryAddressProblem } from '@bascule/chain';
import type { NamedAddress } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import type { PaymentPlan, QuoteRequest } from '@bascule/contracts';
import type { Address } from 'viem';
import { tokensOf } from './payment-terms.js';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export const isAddressText = (value: unknown): value is Address =>
  typeof value === 'string' && ADDRESS.test(value);

export const isSame = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

/** Reason why an address can be neither owner nor destination of any payment; undefined for none. */
export function addressProblem(
  address: Address,
  refused: readonly NamedAddress[],
): string | undefined {
  const problem = ordinaryAddressProblem(address);
  if (problem !== null) return problem;
  const match = refused.find((entry) => isSame(entry.address, address));
  return match === undefined ? undefined : `The address is the ${match.name}.`;
}

/** Reason why an address can be neither owner nor destination of this payment: it has no signer. */
export function planProblem(address: string, plan: PaymentPlan): string | undefined {
  const tokens = tokensOf(plan).map((token) => parseTokenIdentifier(token).address);
  if (tokens.some((token) => isSame(token, address))) {
    return 'The address is the contract of a token of this payment.';
  }
  return plan.legs.some(({ bridge }) => bridge !== undefined && isSame(bridge.adapter, address))
    ? 'The address is the contract of a bridge of this payment.'
    : undefined;
}

/** Reason why the confirmed quote refuses a destination; undefined for none. */
export function destinationProblem(
  destination: string,
  plan: PaymentPlan,
  { request }: QuoteRequest,
): string | undefined {
  const { custom_actions, dest_address } = request;
  const isBound = (custom_actions?.actions.length ?? 0) > 0 && dest_address !== undefined;
  return isBound && !isSame(dest_address, destination)
    ? 'The custom actions were quoted for another destination.'
    : planProblem(destination, plan);
}
