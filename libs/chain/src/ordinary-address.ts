import { getAddress } from 'viem';
import { ZERO_ADDRESS } from './zero-address.js';

/** Precompiles and what chains reserve beside them: nobody holds a key to these. */
const FIRST_ORDINARY_ADDRESS = 0x1_0000n;

/** One case only carries no checksum; mixed case must carry the right one (EIP-55). */
function hasValidChecksum(address: string): boolean {
  const digits = address.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || getAddress(address.toLowerCase()) === address;
}

/** Why money cannot go to `address` (0x and 40 hex digits) on any chain; null when it may be somebody's. */
export function ordinaryAddressProblem(address: string): string | null {
  if (!hasValidChecksum(address)) return 'The checksum of the address is wrong.';
  const value = BigInt(address);
  if (value === BigInt(ZERO_ADDRESS)) return 'The zero address cannot be used.';
  return value < FIRST_ORDINARY_ADDRESS ? 'The address of a precompile cannot be used.' : null;
}
