import { describe, expect, it } from '@jest/globals';
import { bridging } from '../testing/a-bridged-payment.fixture.js';
import { minutesAfter } from '../testing/a-payment.fixture.js';
import { recordOfRow, toJson, transferToJson } from './payment-row.js';
import type { PaymentRow, StoredTransfer } from './payment-row.js';

const payment = bridging().build();

/** Row of the payment as the read statement returns it. */
const storedRow = (change: (transfer: StoredTransfer['transfer']) => object): PaymentRow => {
  const row = JSON.parse(toJson({ ...payment, now: minutesAfter(4) }) ?? '') as PaymentRow;
  const legs = payment.legs.map(({ transfer: sent }, index) => {
    const stored = JSON.parse(transferToJson(sent) ?? 'null') as StoredTransfer | null;
    const transfer = stored === null ? null : { ...stored, transfer: change(stored.transfer) };
    return { ...row.legs[index], transfer };
  });
  return { ...row, legs } as PaymentRow;
};

describe('the row of a payment', () => {
  it('returns the stored transfer', () => {
    expect(recordOfRow(storedRow((transfer) => transfer)).legs).toEqual(payment.legs);
  });

  it('returns the account that another bridge is withdrawn from', () => {
    const [leg] = recordOfRow(storedRow((it) => ({ ...it, withdrawAccount: 'RDW' }))).legs;
    expect(leg?.transfer?.transfer.withdrawAccount).toBe('RDW');
  });

  it('assumes the intent escrow where the account was not stored', () => {
    const row = storedRow(({ withdrawAccount: _, ...older }) => older);
    expect(recordOfRow(row).legs).toEqual(payment.legs);
  });
});
