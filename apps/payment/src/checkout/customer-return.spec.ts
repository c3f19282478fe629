import { describe, expect, it } from '@jest/globals';
import type { StoredPaymentStatus } from '@bascule/contracts';
import type { ClientRedirectAfter } from '../life-cycle/payment-record.js';
import { customerReturn } from './customer-return.js';

const SHOP = 'https://shop.example/done?order=7';
const REGISTERED = ['https://shop.example'];

const aPayment = (
  clientRedirectAfter: ClientRedirectAfter | null,
  status: StoredPaymentStatus = 'PENDING',
  fundedInFullAt: Date | null = null,
) => ({ status, fundedInFullAt, clientRedirectUrl: SHOP, clientRedirectAfter });

describe('a return from the checkout', () => {
  it('redirects at once without a condition', () => {
    expect(customerReturn(aPayment(null), REGISTERED)).toEqual({ kind: 'redirect', url: SHOP });
  });

  it('waits for full funding', () => {
    expect(customerReturn(aPayment('FUNDED'), REGISTERED)).toEqual({
      kind: 'wait',
      message: 'The payment has not arrived yet.',
    });
    const funded = aPayment('FUNDED', 'PENDING', new Date());
    expect(customerReturn(funded, REGISTERED)).toEqual({ kind: 'redirect', url: SHOP });
  });

  it('waits for completion', () => {
    const funded = aPayment('COMPLETED', 'PENDING', new Date());
    expect(customerReturn(funded, REGISTERED)).toEqual({
      kind: 'wait',
      message: 'The payment has arrived and is being delivered.',
    });
    const complete = aPayment('COMPLETED', 'COMPLETE', new Date());
    expect(customerReturn(complete, REGISTERED)).toEqual({ kind: 'redirect', url: SHOP });
  });

  it.each(['FAILED', 'EXPIRED', 'WITHDRAWN', 'TAINTED'] as const)(
    'asks for a click when a %s payment can no longer meet the condition',
    (status) => {
      expect(customerReturn(aPayment('COMPLETED', status, new Date()), REGISTERED)).toMatchObject({
        kind: 'link',
        url: SHOP,
      });
    },
  );

  it.each([
    ['no origin', []],
    ['another host', ['https://shop.example.evil']],
    ['another scheme', ['http://shop.example']],
    ['another port', ['https://shop.example:8443']],
  ])('asks for a click when the organisation has registered %s', (_, origins) => {
    expect(customerReturn(aPayment(null), origins)).toMatchObject({ kind: 'link', url: SHOP });
  });

  it.each([
    ['https://shop.example/✓', 'https://shop.example/%E2%9C%93'],
    ['https://shop.example/ü?a=ü#ü', 'https://shop.example/%C3%BC?a=%C3%BC#%C3%BC'],
    ['https:shop.example/a', 'https://shop.example/a'],
    ['https:\\\\shop.example\\a', 'https://shop.example/a'],
    ['HTTPS://SHOP.example:443', 'https://shop.example/'],
  ])('redirects to %s in its normalised form', (given, url) => {
    const payment = { ...aPayment(null), clientRedirectUrl: given };
    expect(customerReturn(payment, REGISTERED)).toEqual({ kind: 'redirect', url });
    expect(customerReturn(payment, [])).toMatchObject({ kind: 'link', url });
  });

  it('takes the host of a URL, not its user name', () => {
    const payment = { ...aPayment(null), clientRedirectUrl: 'https://shop.example@evil.example/' };
    expect(customerReturn(payment, REGISTERED)).toMatchObject({ kind: 'link' });
  });

  it('does not exist without a redirect URL', () => {
    expect(customerReturn({ ...aPayment(null), clientRedirectUrl: null }, REGISTERED)).toBeNull();
  });
});
