/** Reference of the transaction of one attempt to refund a leg's transfer to the wallet. */
export interface WalletRefundReference {
  paymentId: string;
  legIndex: number;
  /** Counts from 1; a new attempt starts only once the previous one can no longer be mined. */
  attempt: number;
}

const PATTERN = /^wallet-refund:([0-9a-f-]{36}):(\d+):(\d+)$/;

export const formatWalletRefundReference = (reference: WalletRefundReference): string =>
  `wallet-refund:${reference.paymentId}:${reference.legIndex}:${reference.attempt}`;

/** Null for the reference of another transaction. */
export function parseWalletRefundReference(reference: string): WalletRefundReference | null {
  const [, paymentId, legIndex, attempt] = PATTERN.exec(reference) ?? [];
  if (paymentId === undefined) return null;
  return { paymentId, legIndex: Number(legIndex), attempt: Number(attempt) };
}
