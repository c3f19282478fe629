/** Reference of the transaction of one attempt to execute a leg. */
export interface LegReference {
  paymentId: string;
  legIndex: number;
  /** Counts from 1; a new attempt starts only once the previous one can no longer be mined. */
  attempt: number;
}

const PATTERN = /^leg:([0-9a-f-]{36}):(\d+):(\d+)$/;

export const formatLegReference = ({ paymentId, legIndex, attempt }: LegReference): string =>
  `leg:${paymentId}:${legIndex}:${attempt}`;

/** References of all transactions of a leg so far. */
export const legReferences = (
  paymentId: string,
  { index, attempts }: { index: number; attempts: number },
): string[] =>
  Array.from({ length: attempts }, (_, before) =>
    formatLegReference({ paymentId, legIndex: index, attempt: before + 1 }),
  );

/** Null for the reference of another transaction. */
export function parseLegReference(reference: string): LegReference | null {
  const [, paymentId, legIndex, attempt] = PATTERN.exec(reference) ?? [];
  if (paymentId === undefined) return null;
  return { paymentId, legIndex: Number(legIndex), attempt: Number(attempt) };
}
