import type { AmountIssue, AmountLimits } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import type { Route } from '../routes/route.js';
import { bridged, FOREIGN_USDC, onramp, USDC } from '../testing/quoted-route.fixture.js';
import { lane, ramp } from '../testing/routing-world.fixture.js';
import { sourceLimits } from './source-limits.js';

const leg = { chain: 'alphanet', inputToken: USDC, outputToken: USDC, lane: null };
const bought: Route = { ramp: ramp('swift', 'usd', USDC), legs: [leg] };
const crossing: Route = { ramp: null, legs: [{ ...leg, lane: lane(USDC, FOREIGN_USDC) }, leg] };
const none = { quotes: [], failures: [] };

describe('sourceLimits', () => {
  it('lists a provider once, with the limits of all of its methods', () => {
    const other = { ...ramp('swift', 'usd', USDC), limits: { min: '5', max: '1000' } };
    const routes = [bought, bought, { ...bought, ramp: other }];
    expect(sourceLimits({ ...none, routes })).toEqual([{ source: 'swift', min: '1', max: '1000' }]);
  });

  it('lists the limits that a bridge states with a quote', () => {
    const [first, last] = bridged.legs;
    if (!first?.bridge || !last) throw new Error('expected a bridge');
    const bridge = { ...first.bridge, limits: { min: '2', max: '9' } };
    const quotes = [{ ...bridged, legs: [{ ...first, bridge }, last] }, onramp];
    expect(sourceLimits({ ...none, routes: [crossing], quotes })).toEqual([
      { source: 'intent_escrow', min: '2', max: '9' },
    ]);
  });

  it('lists amounts that a bridge takes on each of its crossings', () => {
    const [first, last] = bridged.legs;
    if (!first?.bridge || !last) throw new Error('expected a bridge');
    const { bridge } = first;
    const bridgeOf = (limits: AmountLimits) => ({ ...first, bridge: { ...bridge, limits } });
    const limitsOf = (...limits: AmountLimits[]) => {
      const quotes = [{ ...bridged, legs: [...limits.map(bridgeOf), last] }];
      return sourceLimits({ ...none, routes: [crossing], quotes });
    };
    expect(limitsOf({ min: '2', max: '9' }, { min: '10.5', max: '80' })).toEqual([
      { source: 'intent_escrow' },
    ]);
    expect(limitsOf({ min: '2', max: '90' }, { min: '10.5', max: '80' })).toEqual([
      { source: 'intent_escrow', min: '10.5', max: '80' },
    ]);
  });

  it('lists no bridge of a route that another one replaces', () => {
    const direct = { ...crossing, legs: [leg] };
    const quotes = [{ ...onramp, onramp: null }];
    expect(sourceLimits({ ...none, routes: [crossing, direct], quotes })).toEqual([]);
  });

  it('lists the limits that a bridge states with a refusal', () => {
    const issue: AmountIssue = {
      ...{ kind: 'amount', asset: USDC, given: '1', limits: { min: '3' }, message: '' },
      ...{ source: 'intent_escrow', reason: 'TOO_LOW' },
    };
    const failures = [{ service_ids: ['intent_escrow'], latency_seconds: 0, issues: [issue] }];
    expect(sourceLimits({ ...none, routes: [crossing], failures })).toEqual([
      { source: 'intent_escrow', min: '3' },
    ]);
  });

  it('names a bridge without known limits', () => {
    expect(sourceLimits({ ...none, routes: [crossing, bought] })).toEqual([
      { source: 'swift', min: '1', max: '100' },
      { source: 'intent_escrow' },
    ]);
  });
});
