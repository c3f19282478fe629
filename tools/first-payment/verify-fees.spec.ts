import type { Fees, RouteChange } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { checkFees } from './verify-fees.js';

const USDC = 'alphanet:0x01';
const WETH = 'alphanet:0x02';
const change = (account: RouteChange['account'], asset: string, amount: string): RouteChange => ({
  account,
  resource: { asset, property: 'BALANCE' },
  amount,
});

/** 100 USDC, of which 1 is for gas, for 0.0328 WETH at 3,000 dollars: 1.6 dollars are lost. */
function aPayment(fees: Partial<Fees> = {}, prices: Record<string, string> = {}) {
  const side = {
    output_amount: { asset: WETH, amount: '0.0328' },
    fees: {
      total_fees: '1.6',
      conversion_fees: '0.6',
      network_fees: '1',
      business_fees: '0',
      currency_symbol: 'usd',
      ...fees,
    },
    route: [
      {
        type: 'USER_FUND' as const,
        net_effect: {
          consume: [change('USER', USDC, '100')],
          produce: [change('SPW', USDC, '100')],
        },
        pieces_info: [],
        step_index: 0,
      },
      {
        type: 'ONCHAIN_STEP' as const,
        net_effect: {
          consume: [change('SPW', USDC, '100')],
          produce: [change('DEST', WETH, '0.0328'), change('SERVICE', USDC, '1')],
        },
        pieces_info: [],
        step_index: 1,
      },
    ],
  };
  return {
    quoted: { ...side, latency_seconds: 1 },
    fulfilled: { ...side, route: [] },
    current_prices: { [USDC]: '1', [WETH]: '3000', ...prices },
    price_currency: 'usd',
  };
}

describe('checkFees', () => {
  it('accepts fees equal to the lost value within rounding', () => {
    expect(() => checkFees(aPayment(), 'quoted')).not.toThrow();
    const rounded = aPayment(
      { total_fees: '1.60000001', conversion_fees: '0.60000001' },
      { [WETH]: '2999.9999998' },
    );
    expect(() => checkFees(rounded, 'quoted')).not.toThrow();
  });

  it('accepts negative conversion fees', () => {
    const cheap = aPayment({ total_fees: '-31.2', conversion_fees: '-32.2' }, { [WETH]: '4000' });
    expect(() => checkFees(cheap, 'quoted')).not.toThrow();
  });

  it.each([
    ['do not add up', aPayment({ conversion_fees: '0.5' }), 'add up'],
    [
      'leave a loss unexplained',
      aPayment({ total_fees: '1.5', conversion_fees: '0.5' }),
      'less fees',
    ],
    [
      'charge for gas what is not paid',
      aPayment({ network_fees: '0.9', conversion_fees: '0.7' }),
      'gas',
    ],
    [
      'share what is not shared',
      aPayment({ business_fees: '0.1', conversion_fees: '0.5' }),
      'revenue',
    ],
    ['are in another currency', aPayment({ currency_symbol: 'eur' }), 'currency'],
    ['have no price of the output', aPayment({}, { [WETH]: '0' }), 'prices'],
  ])('refuses fees that %s', (_, payment, claim) => {
    expect(() => checkFees(payment, 'quoted')).toThrow(claim);
  });

  it('excludes funds left in the wallet from fees', () => {
    const payment = aPayment();
    const [funding, ...legs] = payment.quoted.route;
    if (funding === undefined) throw new Error('the route is empty');
    const more = {
      consume: [change('USER', USDC, '100'), change('USER', USDC, '5')],
      produce: [change('SPW', USDC, '100'), change('SPW', USDC, '5')],
    };
    const route = [{ ...funding, net_effect: more }, ...legs].map((step) => ({
      ...step,
      status: 'COMPLETE' as const,
    }));
    const { fees, output_amount } = payment.quoted;
    const overpaid = {
      ...payment,
      quoted: { ...payment.quoted, route },
      fulfilled: { fees, output_amount, route },
    };
    expect(() => checkFees(overpaid, 'fulfilled')).not.toThrow();
    expect(() => checkFees(overpaid, 'quoted')).toThrow('less fees');
  });

  it('checks the requested side only', () => {
    expect(() => checkFees(aPayment(), 'fulfilled')).toThrow('fulfilled input');
  });
});
