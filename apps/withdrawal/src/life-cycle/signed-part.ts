/** Part of a signed text that no other withdrawal has: a nonce in decimal digits, or the whole text of a refund. */
export type SignedPart = { nonce: string } | { text: string };
