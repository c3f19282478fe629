import { TimeoutError } from '@bascule/process';
import { ProviderError } from '@bascule/providers';
import { BridgeRefusedError } from '@bascule/venues';
import { describe, expect, it } from '@jest/globals';
import type { Ramp } from '../routes/route.js';
import { of, USDC, WETH } from '../testing/quoted-route.fixture.js';
import {
  distinctLimits,
  onrampFailure,
  rampLimitIssue,
  refusedByBridge,
  unavailableBridge,
} from './source-failure.js';

const limits = { min: 1_000_000n, max: 100_000_000n };
const refused = (sent: bigint, o: object = {}, input = of(USDC, sent + 500_000n)) =>
  refusedByBridge(new BridgeRefusedError('escrow', 'not this', { ...limits, ...o }), {
    input,
    sent: of(USDC, sent),
    deducted: { fee: 500_000n, ppm: 0n },
  });

describe('refusedByBridge', () => {
  it('reports limits of the input, the network fee included', () => {
    expect(refused(999_999n)).toMatchObject({
      serviceIds: ['escrow'],
      issues: [
        {
          kind: 'amount',
          asset: USDC,
          given: '1.499999',
          limits: { min: '1.5', max: '100.5' },
          source: 'escrow',
          message: `escrow accepts 1.5 to 100.5 ${USDC}.`,
          reason: 'TOO_LOW',
        },
      ],
    });
    expect(refused(100_000_001n).issues).toMatchObject([{ reason: 'TOO_HIGH' }]);
  });

  it('reports downstream limits where the input is another token', () => {
    expect(refused(100_000_001n, {}, of(WETH, 10n ** 18n)).issues).toMatchObject([
      {
        kind: 'amount-downstream',
        asset: WETH,
        given: '1',
        limits: { min: null, max: null },
        downstream_limits: { min: '1', max: '100' },
        reason: 'TOO_HIGH',
      },
    ]);
  });

  it('reports that no amount is valid, and limits that are open', () => {
    expect(refused(5n, { max: 0n }).issues).toMatchObject([{ reason: 'NO_VALID_AMOUNT' }]);
    expect(refused(5n, { max: undefined }).issues).toMatchObject([
      { limits: { min: '1.5', max: null } },
    ]);
  });

  it('does not report the amount where no other amount would help', () => {
    const because = (error: BridgeRefusedError) =>
      refusedByBridge(error, {
        ...{ input: of(USDC, 9n), sent: of(USDC, 5_000_000n) },
        deducted: { fee: 1n, ppm: 0n },
      });
    expect(because(new BridgeRefusedError('escrow', 'no liquidity')).issues).toEqual([
      { kind: 'provider', message: 'escrow: no liquidity' },
    ]);
    const within = because(new BridgeRefusedError('escrow', 'x'.repeat(5_000), limits));
    expect(within.issues).toMatchObject([{ kind: 'provider' }]);
    expect(JSON.stringify(within.issues).length).toBeLessThan(300);
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
const usd = (units: bigint) => ({ asset: 'usd', decimals: 2, units });

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
      reason: 'TOO_LOW',
    });
    expect(rampLimitIssue(ramp, usd(50_051n))).toMatchObject({ reason: 'TOO_HIGH' });
  });
});

describe('distinctLimits', () => {
  it('lists each pair of limits once', () => {
    const other = { ...ramp, limits: { min: '5', max: null } };
    expect(distinctLimits([ramp, { ...ramp, token: 'betanet:0x' }, other])).toEqual([
      { min: '20', max: '500.5' },
      { min: '5', max: null },
    ]);
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
