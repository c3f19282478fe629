import type { TokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { eachToEach, known, lane, ramp, token } from '../testing/routing-world.fixture.js';
import { isQuotable, quotableInput, type Availability } from './availability.js';
import type { Route } from '../routes/route.js';
import { MAX_ROUTES_PER_METHOD, RoutingGraph } from '../routes/routing-graph.js';

const USDC = token('alphanet', '1');
const FOREIGN = token('betanet', '1');
const [NATIVE, FOREIGN_NATIVE]: TokenIdentifier[] = ['alphanet:0x', 'betanet:0x'];
const input = {
  tokens: known(USDC, FOREIGN),
  ramps: [ramp('swift', 'usd', USDC), ramp('swift', 'eur', USDC)],
  lanes: [lane(USDC, FOREIGN, 'one'), lane(FOREIGN, USDC, 'two')],
  conversions: [],
};
const CHAINS = ['alphanet', 'betanet'];
const BRIDGES = ['one', 'two'];
const availability = (priced: string[], chains: string[], bridges: string[]): Availability => ({
  pricedAssets: new Set(priced),
  chains: new Set(chains),
  bridges: new Set(bridges),
});
const left = (priced: string[], chains: string[], bridges = BRIDGES) => {
  const { tokens, ramps, lanes } = quotableInput(input, availability(priced, chains, bridges));
  return [
    ...tokens.map(({ id }) => id),
    ...ramps.map(({ fiat }) => fiat),
    ...lanes.map(({ bridge }) => bridge),
  ];
};
const PRICED = [USDC, FOREIGN, NATIVE, FOREIGN_NATIVE, 'usd', 'eur'].flatMap((each) => each ?? []);
const without = (asset: string | undefined) => PRICED.filter((each) => each !== asset);

describe('isQuotable', () => {
  it('agrees with the graph of quotableInput', () => {
    const sets = [PRICED, ...PRICED.map((each) => without(each))];
    const any = () => true;
    const graph = new RoutingGraph(input);
    for (const priced of sets) {
      for (const chains of [CHAINS, ['alphanet'], ['betanet'], []]) {
        for (const bridges of [BRIDGES, ['one'], ['two'], []]) {
          const o = availability(priced, chains, bridges);
          const quotable = new RoutingGraph(quotableInput(input, o));
          for (const from of ['usd', 'eur', USDC, FOREIGN]) {
            for (const to of [USDC, FOREIGN]) {
              const routes = graph.routes(from, to).filter((route) => isQuotable(route, o));
              expect(routes.length > 0).toBe(quotable.outputsOf(from, any).has(to));
            }
          }
        }
      }
    }
  });

  it('prefers routes over available bridges among the routes tried', () => {
    const others = ['2', '3', '4', '5'].map((digit) => token('alphanet', digit));
    expect(others).toHaveLength(MAX_ROUTES_PER_METHOD);
    const graph = new RoutingGraph({
      tokens: known(USDC, FOREIGN, ...others),
      ramps: [],
      lanes: ['two', 'one'].flatMap((bridge) => others.map((each) => lane(each, FOREIGN, bridge))),
      conversions: eachToEach(USDC, ...others),
    });
    const o = availability([...PRICED, ...others], CHAINS, ['one']);
    const bridgesOf = (isPreferred?: (route: Route) => boolean) =>
      graph.routes(USDC, FOREIGN, isPreferred).map(({ legs }) => legs[0]?.lane?.bridge);
    expect(new Set(bridgesOf())).toEqual(new Set(['two']));
    expect(new Set(bridgesOf((route) => isQuotable(route, o)))).toEqual(new Set(['one']));
  });
});

describe('quotableInput', () => {
  it('keeps priced assets of available chains and bridges', () => {
    expect(left(PRICED, CHAINS)).toEqual([USDC, FOREIGN, 'usd', 'eur', ...BRIDGES]);
  });

  it('drops unpriced assets, and all tokens of a chain whose native currency is unpriced', () => {
    expect(left(without(FOREIGN), CHAINS)).toEqual([USDC, 'usd', 'eur', ...BRIDGES]);
    expect(left(without('eur'), CHAINS)).toEqual([USDC, FOREIGN, 'usd', ...BRIDGES]);
    expect(left(without(NATIVE), CHAINS)).toEqual([FOREIGN, 'usd', 'eur', ...BRIDGES]);
  });

  it('drops unavailable chains and the lanes of unavailable bridges', () => {
    expect(left(PRICED, ['betanet'])).toEqual([FOREIGN, 'usd', 'eur', ...BRIDGES]);
    expect(left(PRICED, CHAINS, ['two'])).toEqual([USDC, FOREIGN, 'usd', 'eur', 'two']);
  });
});
