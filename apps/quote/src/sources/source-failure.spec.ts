import { parseDecimal } from '@bascule/amounts';
import { TimeoutError } from '@bascule/process';
import { ProviderError } from '@bascule/providers';
import { BridgeRefusedError } from '@bascule/venues';
import { describe, expect, it } from '@jest/globals';
import type { Ramp } from '../routes/route.js';
import { PriceBook } from '../routes/price-book.js';
import { RouteFailure } from '../routes/route-failure.js';
import { given, of, USDC } from '../testing/quoted-route.fixture.js';
import {
  onrampFailure,
  rampLimitIssue,
  refusedByBridge,
  refusedByOnramp,
  unavailableBridge,
} from './source-failure.js';

const prices = PriceBook.in('usd', new Map([[USDC, parseDecimal('1')]]));

describe('refusedByBridge', () => {
  const because = (error: BridgeRefusedError) =>
    refusedByBridge(error, {
      ...{ input: given(USDC, 9n), legInput: of(USDC, 9n), sent: of(USDC, 5_000_000n) },
      minSent: 5_000_000n,
      ...{ symbol: 'USDC', deducted: { fee: 1n, ppm: 0n }, prices },
    });
  const limits = { min: 1_000_000n, max: 100_000_000n };

  it('does not report the amount where no other amount would help', () => {
    expect(because(new BridgeRefusedError('escrow', 'no liquidity'))).toMatchObject({
      serviceIds: ['escrow'],
      issues: [{ kind: 'provider', message: 'escrow: no liquidity' }],
    });
    const within = because(new BridgeRefusedError('escrow', 'x'.repeat(5_000), limits));
    expect(within.issues).toMatchObject([{ kind: 'provider' }]);
    expect(JSON.stringify(within.issues).length).toBeLessThan(300);
  });

  it('reports an amount outside the limits', () => {
    const error = new BridgeRefusedError('escrow', 'too little', { min: 6_000_000n });
    expect(because(error).issues).toMatchObject([{ kind: 'amount', reason: 'TOO_LOW' }]);
  });
});

describe('unavailableBridge', () => {
  it('distinguishes a timeout from other failures, without the cause', () => {
    const messages = [new TimeoutError(5), new Error('http://10.0.0.1 answered 500')].map(
      (error) => unavailableBridge('escrow', error).message,
    );
    expect(messages).toEqual(['escrow: timed out', 'escrow: is unavailable']);
  });
});

const ramp: Ramp = {
  provider: 'swiftramp',
  method: 'SEPA',
  fiat: 'usd',
  token: 'alphanet:0x',
  limits: { min: '20', max: '500.5' },
  places: [],
};
const usd = (units: bigint) => ({ asset: 'usd', symbol: 'USD', decimals: 2, units });

describe('rampLimitIssue', () => {
  it.each([[2_000n], [50_050n]])('allows both ends of the limits (%s)', (units) => {
    expect(rampLimitIssue(ramp, usd(units))).toBeNull();
  });

  it('reports the limits to an amount outside them', () => {
    expect(rampLimitIssue(ramp, usd(1_999n))).toMatchObject({
      kind: 'amount',
      asset: 'usd',
      given: '19.99',
      limits: { min: '20', max: '500.5' },
      source: 'swiftramp',
      message: 'Given amount is 19.99 USD, but swiftramp accepts 20 to 500.5 USD by SEPA.',
      reason: 'TOO_LOW',
    });
    expect(rampLimitIssue(ramp, usd(50_051n))).toMatchObject({ reason: 'TOO_HIGH' });
  });
});

describe('onrampFailure', () => {
  it("shows the provider's own issues, and a timeout", () => {
    const said = { kind: 'provider', message: 'no' } as const;
    const refused = onrampFailure('a', new ProviderError('a', 'rejected', [said]));
    expect([refused.serviceIds, refused.issues]).toEqual([['a'], [said]]);
    expect(onrampFailure('a', new TimeoutError(5)).issues).toEqual([
      { kind: 'provider', message: 'a: timed out' },
    ]);
  });

  it('rethrows errors of our own code', () => {
    expect(() => onrampFailure('a', new TypeError('oops'))).toThrow('oops');
  });
});

describe('refusedByOnramp', () => {
  it("tells the provider's limits about the given amount, and keeps its other issues", () => {
    const said = { kind: 'kyc', message: 'verify first', provider_id: 'a' } as const;
    const amount = {
      ...({ kind: 'amount', asset: 'usd', given: '5.00', source: 'a', reason: 'TOO_LOW' } as const),
      ...{ limits: { min: '20' }, message: 'a: too low' },
    };
    expect(refusedByOnramp(new RouteFailure(['a'], [amount, said]), usd(500n))).toMatchObject({
      serviceIds: ['a'],
      issues: [
        {
          ...{ kind: 'amount', asset: 'usd', given: '5', limits: { min: '20' }, source: 'a' },
          message: 'Given amount is 5 USD, but a accepts at least 20 USD.',
        },
        said,
      ],
    });
  });
});
