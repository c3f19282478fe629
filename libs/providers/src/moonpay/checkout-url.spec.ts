import { describe, expect, it } from '@jest/globals';
import { signedUrl } from './checkout-url.js';

const parameters = {
  apiKey: 'pk_test_123',
  currencyCode: 'usdc_base',
  walletAddress: '0xde0b295669a9fd93d5f28d9ec85e40f4cb697bae',
  baseCurrencyCode: 'usd',
  baseCurrencyAmount: '100',
  redirectURL: 'https://example.com/done',
};

describe('the URL of the widget', () => {
  it('has the signature that MoonPay’s own library computes', () => {
    const url = signedUrl('https://buy.moonpay.com', parameters, 'sk_test_vector');
    expect(new URL(url).searchParams.get('signature')).toBe(
      'HZGNMZyf/qV3IkdJXinoCLcmkQyoyoLtKL7yFWHFGJE=',
    );
    expect(url).toMatch(/^https:\/\/buy\.moonpay\.com\/\?apiKey=pk_test_123&/);
    expect(url).toMatch(/&redirectURL=https%3A%2F%2Fexample\.com%2Fdone&signature=[^&]+$/);
  });

  it('stays as it was signed in a browser', () => {
    const url = signedUrl('https://buy.moonpay.com', { externalCustomerId: "O'Hara (1)!*" }, 'key');
    expect(new URL(url).href).toBe(url);
    expect(new URL(url).searchParams.get('externalCustomerId')).toBe("O'Hara (1)!*");
  });

  it('keeps no text of a customer as a parameter of its own', () => {
    const url = signedUrl(
      'https://buy.moonpay.com',
      { externalCustomerId: 'a&walletAddress=0x1 #' },
      'key',
    );
    expect([...new URL(url).searchParams.keys()]).toEqual(['externalCustomerId', 'signature']);
  });
});
