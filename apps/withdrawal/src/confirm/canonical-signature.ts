import type { Hex } from 'viem';

/** Some wallets write the recovery id as 0 or 1; contracts take 27 or 28. */
export function canonicalSignature(signature: Hex): Hex {
  if (signature.length !== 132) return signature;
  const recovery = Number.parseInt(signature.slice(130), 16);
  return recovery < 2
    ? `${signature.slice(0, 130) as Hex}${(recovery + 27).toString(16)}`
    : signature;
}
