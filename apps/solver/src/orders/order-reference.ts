import type { Hex } from 'viem';

/** Names a transaction: the attempts of an order are counted from 1. */
interface OrderReference {
  kind: 'fill' | 'claim';
  orderId: Hex;
  attempt: number;
}

const PATTERN = /^(fill|claim):(0x[0-9a-f]{64}):([1-9][0-9]*)$/;

export const formatOrderReference = ({ kind, orderId, attempt }: OrderReference): string =>
  `${kind}:${orderId}:${attempt}`;

/** Null for the transactions of allowances, and those that only use a nonce up. */
export function parseOrderReference(reference: string): OrderReference | null {
  const [, kind, orderId, attempt] = PATTERN.exec(reference) ?? [];
  if (kind === undefined) return null;
  return {
    kind: kind as OrderReference['kind'],
    orderId: orderId as Hex,
    attempt: Number(attempt),
  };
}
