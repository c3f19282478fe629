import { describe, expect, it } from '@jest/globals';
import { aBridgedPayment } from '../testing/a-bridged-payment.fixture.js';
import { minutesAfter } from '../testing/a-payment.fixture.js';
import { bridgeObjection } from './bridge-transfers.client.js';

describe('bridgeObjection', () => {
  const payment = aBridgedPayment()
    .with({ declarationExpiresAt: minutesAfter(60) })
    .build();
  const objection = (delivered: bigint, latencySeconds: number) =>
    bridgeObjection(payment, 0, { delivered, latencySeconds }, minutesAfter(50));

  it('accepts a delivery of the declared minimum in time', () => {
    expect(objection(98_405_500n, 599)).toBeNull();
  });

  it('refuses a delivery below the declared minimum', () => {
    expect(objection(98_405_499n, 1)).toMatchObject({ reason: 'bridge' });
  });

  it('refuses when the declaration expires before the next leg could run', () => {
    expect(objection(98_900_000n, 600)).toMatchObject({ reason: 'expired' });
  });
});
