import type { NamedAddress } from '@bascule/chain';
import { getAddress, isAddressEqual, zeroAddress } from 'viem';
import type { Address } from 'viem';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** Precompiles and what chains reserve beside them: nobody holds a key to these. */
const FIRST_ORDINARY_ADDRESS = 0x1_0000n;

export const isAddressText = (value: unknown): value is Address =>
  typeof value === 'string' && ADDRESS.test(value);

/** One case only carries no checksum; mixed case must carry the right one (EIP-55). */
export function hasValidChecksum(address: Address): boolean {
  const digits = address.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || getAddress(address.toLowerCase()) === address;
}

/** Why an address can be neither owner nor destination; undefined when it can. */
export function addressProblem(
  address: Address,
  refused: readonly NamedAddress[],
): string | undefined {
  if (!hasValidChecksum(address)) return 'The checksum of the address is wrong.';
  const lower = getAddress(address.toLowerCase());
  if (isAddressEqual(lower, zeroAddress)) return 'The zero address cannot be used.';
  if (BigInt(lower) < FIRST_ORDINARY_ADDRESS) return 'The address of a precompile cannot be used.';
  const match = refused.find((entry) => isAddressEqual(entry.address, lower));
  return match === undefined ? undefined : `The address is the ${match.name}.`;
}
