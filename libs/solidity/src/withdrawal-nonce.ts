import { nonceExpiresAt } from '@bascule/contracts';
import { bytes16ToUuid, uuidToBytes16 } from './uuid.js';

const MAX_UINT64 = 2n ** 64n - 1n;

export interface WithdrawalNonce {
  withdrawId: string;
  /** Unix seconds from which the chain refuses the authorization. */
  expiresAt: bigint;
}

/**
 * 64 bits of `expiresAt` (unix seconds), 64 zero bits, 128 bits of the withdraw id.
 * @throws RangeError unless `withdrawId` is a UUID and `expiresAt` fits.
 */
export function withdrawalNonce(withdrawId: string, expiresAt: bigint): bigint {
  if (expiresAt < 0n || expiresAt > MAX_UINT64)
    throw new RangeError(`not 64 bits of seconds: ${expiresAt}`);
  return (expiresAt << 192n) | BigInt(uuidToBytes16(withdrawId));
}

/** @throws RangeError unless `nonce` has the layout of `withdrawalNonce`. */
export function parseWithdrawalNonce(nonce: bigint): WithdrawalNonce {
  const expiresAt = nonceExpiresAt(nonce);
  const padding = (nonce >> 128n) & MAX_UINT64;
  if (nonce < 0n || expiresAt > MAX_UINT64 || padding !== 0n) {
    throw new RangeError(`not a withdrawal nonce: ${nonce}`);
  }
  const id = (nonce & (2n ** 128n - 1n)).toString(16).padStart(32, '0');
  return { withdrawId: bytes16ToUuid(`0x${id}`), expiresAt };
}
