import type { Hex } from 'viem';

/** Reference of an order's transaction; attempts start at 1. */
interface OrderReference {
  kind: 'fill' | 'claim';
  orderId: Hex;
  attempt: number;
}

const PATTERN = /^(fill|claim):(0x[0-9a-f]{64}):([1-9][0-9]*)$/;

export const formatOrderReference = ({ kind, orderId, attempt }: OrderReference): string =>
  `${kind}:${orderId}:${attempt}`;

/** Parses a reference; null for approvals and cancellations. */
export function parseOrderReference(reference: string): OrderReference | null {
  const [, kind, orderId, attempt] = PATTERN.exec(reference) ?? [];
  if (kind === undefined) return null;
  return {
    kind: kind as OrderReference['kind'],
    orderId: orderId as Hex,
    attempt: Number(attempt),
  };
}
