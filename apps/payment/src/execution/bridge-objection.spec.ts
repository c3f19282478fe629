import { describe, expect, it } from '@jest/globals';
import { aBridgedPayment } from '../testing/a-bridged-payment.fixture.js';
import { minutesAfter } from '../testing/a-payment.fixture.js';
import { bridgeObjection } from './bridge-transfers.client.js';

describe('an objection against what a bridge offers', () => {
  const payment = aBridgedPayment()
    .with({ declarationExpiresAt: minutesAfter(60) })
    .build();
  const objection = (delivered: bigint, latencySeconds: number) =>
    bridgeObjection(payment, 0, { delivered, latencySeconds }, minutesAfter(50));

  it('is none as long as it delivers the declared minimum in time', () => {
    expect(objection(98_405_500n, 599)).toBeNull();
  });

  it('is that it delivers less than declared', () => {
    expect(objection(98_405_499n, 1)).toMatchObject({ reason: 'bridge' });
  });

  it('is that the declaration expires before the next leg could run', () => {
    expect(objection(98_900_000n, 600)).toMatchObject({ reason: 'expired' });
  });
});
