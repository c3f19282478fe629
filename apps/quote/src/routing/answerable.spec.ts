import type { TokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { eachToEach, known, lane, ramp, token } from '../testing/a-routing-world.fixture.js';
import { answerable, isAnswerable, type Answering } from './answerable.js';
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
const answering = (priced: string[], chains: string[], bridges: string[]): Answering => ({
  priced: new Set(priced),
  chains: new Set(chains),
  bridges: new Set(bridges),
});
const left = (priced: string[], chains: string[], bridges = BRIDGES) => {
  const { tokens, ramps, lanes } = answerable(input, answering(priced, chains, bridges));
  return [
    ...tokens.map(({ id }) => id),
    ...ramps.map(({ fiat }) => fiat),
    ...lanes.map(({ bridge }) => bridge),
  ];
};
const PRICED = [USDC, FOREIGN, NATIVE, FOREIGN_NATIVE, 'usd', 'eur'].flatMap((each) => each ?? []);
const without = (asset: string | undefined) => PRICED.filter((each) => each !== asset);

describe('isAnswerable', () => {
  it('agrees with the graph of what is answerable', () => {
    const sets = [PRICED, ...PRICED.map((each) => without(each))];
    const any = () => true;
    const graph = new RoutingGraph(input);
    for (const priced of sets) {
      for (const chains of [CHAINS, ['alphanet'], ['betanet'], []]) {
        for (const bridges of [BRIDGES, ['one'], ['two'], []]) {
          const o = answering(priced, chains, bridges);
          const promised = new RoutingGraph(answerable(input, o));
          for (const from of ['usd', 'eur', USDC, FOREIGN]) {
            for (const to of [USDC, FOREIGN]) {
              const routes = graph.routes(from, to).filter((route) => isAnswerable(route, o));
              expect(routes.length > 0).toBe(promised.outputsOf(from, any).has(to));
            }
          }
        }
      }
    }
  });

  it('gives no place among the routes that are tried to a bridge that is silent', () => {
    const others = ['2', '3', '4', '5'].map((digit) => token('alphanet', digit));
    expect(others).toHaveLength(MAX_ROUTES_PER_METHOD);
    const graph = new RoutingGraph({
      tokens: known(USDC, FOREIGN, ...others),
      ramps: [],
      lanes: ['two', 'one'].flatMap((bridge) => others.map((each) => lane(each, FOREIGN, bridge))),
      conversions: eachToEach(USDC, ...others),
    });
    const o = answering([...PRICED, ...others], CHAINS, ['one']);
    const bridgesOf = (isPromising?: (route: Route) => boolean) =>
      graph.routes(USDC, FOREIGN, isPromising).map(({ legs }) => legs[0]?.lane?.bridge);
    expect(new Set(bridgesOf())).toEqual(new Set(['two']));
    expect(new Set(bridgesOf((route) => isAnswerable(route, o)))).toEqual(new Set(['one']));
  });
});

describe('answerable', () => {
  it('keeps what can be quoted', () => {
    expect(left(PRICED, CHAINS)).toEqual([USDC, FOREIGN, 'usd', 'eur', ...BRIDGES]);
  });

  it('drops what has no price, and all of a chain whose gas has none', () => {
    expect(left(without(FOREIGN), CHAINS)).toEqual([USDC, 'usd', 'eur', ...BRIDGES]);
    expect(left(without('eur'), CHAINS)).toEqual([USDC, FOREIGN, 'usd', ...BRIDGES]);
    expect(left(without(NATIVE), CHAINS)).toEqual([FOREIGN, 'usd', 'eur', ...BRIDGES]);
  });

  it('drops chains that do not say what they convert, and what silent bridges carry', () => {
    expect(left(PRICED, ['betanet'])).toEqual([FOREIGN, 'usd', 'eur', ...BRIDGES]);
    expect(left(PRICED, CHAINS, ['two'])).toEqual([USDC, FOREIGN, 'usd', 'eur', 'two']);
  });
});
