import { hexToBytes } from 'viem';
import type { Hex } from 'viem';

const TRANSFER = 21_000;
/** Least gas of a byte of calldata (EIP-7623). */
const ZERO_BYTE = 10;
const OTHER_BYTE = 40;

/** Least gas limit with which a chain accepts a call, whatever it executes. */
export function intrinsicGas(data: Hex): bigint {
  const bytes = hexToBytes(data);
  const others = bytes.reduce((count, byte) => (byte === 0 ? count : count + 1), 0);
  return BigInt(TRANSFER + (bytes.length - others) * ZERO_BYTE + others * OTHER_BYTE);
}
