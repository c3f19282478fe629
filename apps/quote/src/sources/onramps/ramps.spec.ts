import { decimal } from '@bascule/amounts';
import { ProviderError } from '@bascule/providers';
import { describe, expect, it } from '@jest/globals';
import { BEST_BRIDGE_RATE, BEST_ONRAMP_RATE, tooGoodToBeTrue } from '../plausible-delivery.js';
import type { Amount } from '../../routes/fee-breakdown.js';
import { PriceBook } from '../../routes/price-book.js';
import { TimeoutError } from '@bascule/process';
import type { Ramp } from '../../routes/route.js';
import { toRouteFailure } from './provider-failure.js';
import { distinctLimits, limitIssue } from './ramp-limits.js';
import { rampsOf } from './ramps.js';

const ramp: Ramp = {
  provider: 'swiftramp',
  method: 'SEPA',
  fiat: 'usd',
  token: 'alphanet:0x',
  limits: { min: '20', max: '500.5' },
  places: [],
};
const usd = (units: bigint) => ({ asset: 'usd', decimals: 2, units });

describe('rampsOf', () => {
  it('combines every fiat and method with every token', () => {
    const ramps = rampsOf('swiftramp', {
      fiats: [
        {
          code: 'usd',
          methods: [
            { method: 'SEPA', min: '1', max: '2' },
            { method: 'ACH', min: '3', max: '4' },
          ],
        },
      ],
      tokens: [{ token: 'alphanet:0x' }, { token: 'betanet:0x' }],
    });
    expect(ramps).toHaveLength(4);
    expect(ramps[3]).toEqual({
      provider: 'swiftramp',
      method: 'ACH',
      fiat: 'usd',
      token: 'betanet:0x',
      limits: { min: '3', max: '4' },
      places: [],
    });
  });

  it('keeps every restriction to places that applies to a combination', () => {
    const [everywhere, ofMethod, ofToken] = [
      { except: ['CUB'] },
      { only: ['USA'] },
      { except: ['USA-NY'] },
    ];
    const ramps = rampsOf('swiftramp', {
      places: everywhere,
      fiats: [
        {
          code: 'usd',
          methods: [
            { method: 'SEPA', min: '1', max: '2' },
            { method: 'ACH', min: '3', max: '4', places: ofMethod },
          ],
        },
      ],
      tokens: [{ token: 'alphanet:0x' }, { token: 'betanet:0x', places: ofToken }],
    });
    expect(ramps.map(({ places }) => places)).toEqual([
      [everywhere],
      [everywhere, ofToken],
      [everywhere, ofMethod],
      [everywhere, ofMethod, ofToken],
    ]);
  });
});

describe('limitIssue', () => {
  it.each([[2_000n], [50_050n]])('allows both ends of the limits (%s)', (units) => {
    expect(limitIssue(ramp, usd(units))).toBeNull();
  });

  it('gives the real limits of an amount outside them', () => {
    expect(limitIssue(ramp, usd(1_999n))).toMatchObject({
      kind: 'amount',
      asset: 'usd',
      given: '19.99',
      limits: { min: '20', max: '500.5' },
      source: 'swiftramp',
      reason: 'TOO_LOW',
    });
    expect(limitIssue(ramp, usd(50_051n))).toMatchObject({ reason: 'TOO_HIGH' });
  });
});

describe('distinctLimits', () => {
  it('has each pair of limits once', () => {
    const other = { ...ramp, limits: { min: '5', max: null } };
    expect(distinctLimits([ramp, { ...ramp, token: 'betanet:0x' }, other])).toEqual([
      { min: '20', max: '500.5' },
      { min: '5', max: null },
    ]);
  });
});

describe('tooGoodToBeTrue', () => {
  const prices = PriceBook.in(
    'usd',
    new Map([
      ['usd', decimal(1n)],
      ['alphanet:0x', decimal(2_000n)],
    ]),
  );
  const ether = (units: bigint) => ({ asset: 'alphanet:0x', decimals: 18, units });
  const issue = (paid: Amount, delivered: Amount, bestRate = BEST_ONRAMP_RATE) =>
    tooGoodToBeTrue({ by: 'swiftramp', paid, delivered, bestRate, prices });

  it('believes what is worth less than is paid, or a little more', () => {
    expect(issue(usd(200_000n), ether(10n ** 18n))).toBeNull();
    expect(issue(usd(195_000n), ether(10n ** 18n))).toBeNull();
  });

  it('does not believe a gift', () => {
    expect(issue(usd(100_000n), ether(10n ** 18n))).toMatchObject({ kind: 'provider' });
    expect(issue(usd(195_000n), ether(10n ** 18n), BEST_BRIDGE_RATE)).not.toBeNull();
  });
});

describe('toRouteFailure', () => {
  it('shows what the provider said, and its silence', () => {
    const said = { kind: 'provider', message: 'no' } as const;
    const refused = toRouteFailure('a', new ProviderError('a', 'rejected', [said]));
    expect([refused.serviceIds, refused.issues]).toEqual([['a'], [said]]);
    expect(toRouteFailure('a', new TimeoutError(5)).issues).toEqual([
      { kind: 'provider', message: 'a: did not answer in time' },
    ]);
  });

  it('does not hide our own mistakes', () => {
    expect(() => toRouteFailure('a', new TypeError('oops'))).toThrow('oops');
  });
});
