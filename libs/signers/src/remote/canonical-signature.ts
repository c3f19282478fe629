import { secp256k1 } from '@noble/curves/secp256k1';
import { bytesToHex, isAddressEqual, numberToHex, recoverAddress, serializeSignature } from 'viem';
import type { Address, Hex } from 'viem';
import { InvalidAnswerError } from './remote-key.js';
import type { EncodedSignature } from './remote-key.js';

/**
 * Returns the signature as 65 bytes r‖s‖v with a low s. Services tell no recovery id: it is the one that recovers to
 * the address.
 *
 * @throws InvalidAnswerError unless the signature is the address's for the digest
 */
export async function canonicalSignature(
  encoded: EncodedSignature,
  digest: Hex,
  address: Address,
): Promise<Hex> {
  const { r, s } = decode(encoded).normalizeS();
  for (const yParity of [0, 1]) {
    const signature = serializeSignature({
      r: numberToHex(r, { size: 32 }),
      s: numberToHex(s, { size: 32 }),
      yParity,
    });
    if (await recoversTo(address, digest, signature)) return signature;
  }
  throw new InvalidAnswerError('answered with a signature that is not of the key and digest');
}

function decode({ form, bytes }: EncodedSignature) {
  const { Signature } = secp256k1;
  const hex = bytesToHex(bytes).slice(2);
  try {
    return form === 'der' ? Signature.fromDER(hex) : Signature.fromCompact(hex);
  } catch {
    // The error of the decoder repeats the bytes.
    throw new InvalidAnswerError('answered with a malformed signature');
  }
}

const recoversTo = (address: Address, hash: Hex, signature: Hex): Promise<boolean> =>
  recoverAddress({ hash, signature }).then(
    (recovered) => isAddressEqual(recovered, address),
    // Not every r is the x of a point.
    () => false,
  );
