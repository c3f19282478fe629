import { describe, expect, it } from '@jest/globals';
import { renderCheckoutPage } from './checkout-page.js';

const page = {
  provider: 'Swiftramp',
  status: 'awaiting_payment',
  fiat: 'USD',
  fiatAmount: '100',
  feeTotal: '4.44',
  paymentMethod: 'credit_card',
  cryptoAmount: '95.08',
  symbol: 'USDC',
  network: 'alphanet',
  walletAddress: '0x00000000000000000000000000000000000000d1',
  transactionHash: null,
  failureReason: null,
  paymentStartedAt: null,
  redirectUrl: null,
  path: '/swiftramp/checkout/1',
} as const;

describe('the checkout page', () => {
  it('shows amount, fee, tokens and wallet address', () => {
    const html = renderCheckoutPage(page);
    for (const text of ['100 USD', '4.44 USD', '95.08 USDC on alphanet', page.walletAddress]) {
      expect(html).toContain(text);
    }
  });

  it('has buttons only while the order is payable', () => {
    expect(renderCheckoutPage(page)).toContain('action="/swiftramp/checkout/1/pay"');
    const paid = renderCheckoutPage({ ...page, status: 'sending' });
    expect(paid).not.toContain('<form');
    expect(paid).toContain('http-equiv="refresh"');
  });

  it('has no buttons while the money is on its way', () => {
    const html = renderCheckoutPage({ ...page, paymentStartedAt: new Date(0) });
    expect(html).toContain('on its way');
    expect(html).not.toContain('<form');
  });

  it('escapes all input', () => {
    const html = renderCheckoutPage({ ...page, redirectUrl: 'https://a.example/?"><script>' });
    expect(html).not.toContain('<script>');
  });
});
