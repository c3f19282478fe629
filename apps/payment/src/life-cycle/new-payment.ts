import type { PaymentRecord, PaymentTerms } from './payment-record.js';

/** A payment as it is when it has just been confirmed. */
export const newPayment = (
  terms: PaymentTerms,
  newId: () => string,
  traceparent?: string,
): PaymentRecord => ({
  ...terms,
  traceparent: traceparent ?? null,
  status: 'PENDING',
  statusBeforeWithdrawal: null,
  funded: false,
  fundedInFullAt: null,
  version: 1,
  updatedAt: terms.createdAt,
  completedAt: null,
  dueAt: terms.initiateFundBy,
  deposits: [],
  legs: terms.plan.legs.map(({ chain }, index) => ({
    id: newId(),
    index,
    chain,
    status: 'PENDING',
    attempts: 0,
    transactionHash: null,
    dueAt: null,
    settlement: null,
    transfer: null,
    failure: null,
  })),
  withdrawals: [],
  checkout: null,
});
