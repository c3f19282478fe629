const SANDBOX = 'sandbox-';

/** Our reference of a payment at Coinbase; the prefix makes an order one of its sandbox. */
export const partnerReference = (paymentId: string, isSandbox: boolean): string =>
  isSandbox ? `${SANDBOX}${paymentId}` : paymentId;

/** Payment of a reference; null for one of the other mode. */
export function paymentIdOf(reference: string, isSandbox: boolean): string | null {
  if (reference.startsWith(SANDBOX) !== isSandbox) return null;
  return isSandbox ? reference.slice(SANDBOX.length) : reference;
}
