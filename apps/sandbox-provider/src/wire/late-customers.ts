/** Customers whose money arrives late, with the seconds from their decision to pay. */
const PAYMENT_SECONDS: ReadonlyMap<string, number> = new Map([['sandbox-late', 45]]);

export const paymentSecondsOf = (customerId: string | undefined): number =>
  PAYMENT_SECONDS.get(customerId ?? '') ?? 0;
