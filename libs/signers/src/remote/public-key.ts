import { createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { bytesToHex } from 'viem';
import type { Address } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import { InvalidAnswerError } from './remote-key.js';

const CURVE = 'secp256k1';
const UNCOMPRESSED = 0x04;

/** @throws InvalidAnswerError unless the input is a public key */
export function readPublicKey(input: Parameters<typeof createPublicKey>[0]): KeyObject {
  try {
    return createPublicKey(input);
  } catch {
    throw new InvalidAnswerError('answered without a readable public key');
  }
}

/** @throws InvalidAnswerError unless the key is on secp256k1 */
export function addressOfKey(key: KeyObject): Address {
  const { crv, x, y } = key.export({ format: 'jwk' });
  if (crv !== CURVE || typeof x !== 'string' || typeof y !== 'string') {
    throw new InvalidAnswerError(`needs a key on ${CURVE}, not on ${crv ?? 'another curve'}`);
  }
  const point = Buffer.concat([
    Buffer.of(UNCOMPRESSED),
    Buffer.from(x, 'base64url'),
    Buffer.from(y, 'base64url'),
  ]);
  return publicKeyToAddress(bytesToHex(point));
}
