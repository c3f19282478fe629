import { ordinaryAddressProblem } from '@bascule/chain';
import type { NamedAddress } from '@bascule/chain';
import type { Address } from 'viem';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

export const isAddressText = (value: unknown): value is Address =>
  typeof value === 'string' && ADDRESS.test(value);

export const isSame = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

/** Why an address can be neither owner nor destination of any payment; undefined when it can. */
export function addressProblem(
  address: Address,
  refused: readonly NamedAddress[],
): string | undefined {
  const problem = ordinaryAddressProblem(address);
  if (problem !== null) return problem;
  const match = refused.find((entry) => isSame(entry.address, address));
  return match === undefined ? undefined : `The address is the ${match.name}.`;
}
