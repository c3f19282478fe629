import { describe, expect, it } from '@jest/globals';
import { bridging, paidOut } from '../testing/a-bridged-payment.fixture.js';
import { aPayment } from '../testing/a-payment.fixture.js';
import { holdsFunds } from './holds-funds.js';

describe('holdsFunds', () => {
  it.each([
    ['a deposit', aPayment().deposited()],
    ['a deposit that is not final', aPayment().deposited({ confirmed: false })],
    ['money in a bridge', bridging()],
  ])('holds with %s', (_, payment) => {
    expect(holdsFunds(payment.build())).toBe(true);
  });

  it.each([
    ['without a deposit', aPayment()],
    ['once all is paid out', aPayment().complete()],
    ['once a bridged payment is paid out', paidOut()],
  ])('does not hold %s', (_, payment) => {
    expect(holdsFunds(payment.build())).toBe(false);
  });
});
