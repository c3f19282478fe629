import { getAddress } from 'viem';
import { ZERO_ADDRESS } from './zero-address.js';

/** Precompiles and reserved addresses, which have no private key. */
const FIRST_ORDINARY_ADDRESS = 0x1_0000n;

/** Mixed case must have a valid checksum (EIP-55); a single case has none. */
function hasValidChecksum(address: string): boolean {
  const digits = address.slice(2);
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || getAddress(address.toLowerCase()) === address;
}

/** Returns why `address` (0x and 40 hex digits) cannot receive payments on any chain, or null. */
export function ordinaryAddressProblem(address: string): string | null {
  if (!hasValidChecksum(address)) return 'The checksum of the address is wrong.';
  const value = BigInt(address);
  if (value === BigInt(ZERO_ADDRESS)) return 'The zero address cannot be used.';
  return value < FIRST_ORDINARY_ADDRESS ? 'The address of a precompile cannot be used.' : null;
}
