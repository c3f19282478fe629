/** Names the transaction of one attempt to execute a leg. */
export interface LegReference {
  paymentId: string;
  legIndex: number;
  /** From 1. Another one is made only when the one before can no longer land. */
  attempt: number;
}

const PATTERN = /^leg:([0-9a-f-]{36}):(\d+):(\d+)$/;

export const formatLegReference = ({ paymentId, legIndex, attempt }: LegReference): string =>
  `leg:${paymentId}:${legIndex}:${attempt}`;

/** Null for a transaction that executes no leg. */
export function parseLegReference(reference: string): LegReference | null {
  const [, paymentId, legIndex, attempt] = PATTERN.exec(reference) ?? [];
  if (paymentId === undefined) return null;
  return { paymentId, legIndex: Number(legIndex), attempt: Number(attempt) };
}
