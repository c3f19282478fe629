import { describe, expect, it } from '@jest/globals';
import type { StoredPaymentStatus } from '@bascule/contracts';
import type { ClientRedirectAfter } from '../life-cycle/payment-record.js';
import { customerReturn } from './customer-return.js';

const URL = 'https://shop.example/done?order=7';
const REGISTERED = ['https://shop.example'];

const aPayment = (
  clientRedirectAfter: ClientRedirectAfter | null,
  status: StoredPaymentStatus = 'PENDING',
  fundedInFullAt: Date | null = null,
) => ({ status, fundedInFullAt, clientRedirectUrl: URL, clientRedirectAfter });

describe('a return from the checkout', () => {
  it('redirects at once without a condition', () => {
    expect(customerReturn(aPayment(null), REGISTERED)).toEqual({ kind: 'redirect', url: URL });
  });

  it('waits for full funding', () => {
    expect(customerReturn(aPayment('FUNDED'), REGISTERED)).toEqual({
      kind: 'wait',
      message: 'The payment has not arrived yet.',
    });
    const funded = aPayment('FUNDED', 'PENDING', new Date());
    expect(customerReturn(funded, REGISTERED)).toEqual({ kind: 'redirect', url: URL });
  });

  it('waits for completion', () => {
    const funded = aPayment('COMPLETED', 'PENDING', new Date());
    expect(customerReturn(funded, REGISTERED)).toEqual({
      kind: 'wait',
      message: 'The payment has arrived and is being delivered.',
    });
    const complete = aPayment('COMPLETED', 'COMPLETE', new Date());
    expect(customerReturn(complete, REGISTERED)).toEqual({ kind: 'redirect', url: URL });
  });

  it.each(['FAILED', 'EXPIRED', 'WITHDRAWN', 'TAINTED'] as const)(
    'asks for a click when a %s payment can no longer meet the condition',
    (status) => {
      expect(customerReturn(aPayment('COMPLETED', status, new Date()), REGISTERED)).toMatchObject({
        kind: 'link',
        url: URL,
      });
    },
  );

  it.each([
    ['no origin', []],
    ['another host', ['https://shop.example.evil']],
    ['another scheme', ['http://shop.example']],
    ['another port', ['https://shop.example:8443']],
  ])('asks for a click when the organisation has registered %s', (_, origins) => {
    expect(customerReturn(aPayment(null), origins)).toMatchObject({ kind: 'link', url: URL });
  });

  it('takes the host of a URL, not its user name', () => {
    const payment = { ...aPayment(null), clientRedirectUrl: 'https://shop.example@evil.example/' };
    expect(customerReturn(payment, REGISTERED)).toMatchObject({ kind: 'link' });
  });

  it('does not exist without a redirect URL', () => {
    expect(customerReturn({ ...aPayment(null), clientRedirectUrl: null }, REGISTERED)).toBeNull();
  });
});
