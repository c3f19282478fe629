import type { Hex } from 'viem';

/** Normalises a recovery id of 0 or 1, as some wallets write it, to 27 or 28. */
export function canonicalSignature(signature: Hex): Hex {
  if (signature.length !== 132) return signature;
  const recovery = Number.parseInt(signature.slice(130), 16);
  return recovery < 2
    ? `${signature.slice(0, 130) as Hex}${(recovery + 27).toString(16)}`
    : signature;
}
