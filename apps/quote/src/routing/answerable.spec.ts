import type { TokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { known, lane, ramp, token } from '../testing/a-routing-world.fixture.js';
import { answerable, isAnswerable } from './answerable.js';
import { RoutingGraph } from './routing-graph.js';

const USDC = token('alphanet', '1');
const FOREIGN = token('betanet', '1');
const [NATIVE, FOREIGN_NATIVE]: TokenIdentifier[] = ['alphanet:0x', 'betanet:0x'];
const input = {
  tokens: known(USDC, FOREIGN),
  ramps: [ramp('swift', 'usd', USDC), ramp('swift', 'eur', USDC)],
  lanes: [lane(USDC, FOREIGN)],
  conversions: [],
};
const left = (priced: string[], chains: string[]) => {
  const { tokens, ramps } = answerable(input, { priced: new Set(priced), chains: new Set(chains) });
  return [...tokens.map(({ id }) => id), ...ramps.map(({ fiat }) => fiat)];
};
const CHAINS = ['alphanet', 'betanet'];
const PRICED = [USDC, FOREIGN, NATIVE, FOREIGN_NATIVE, 'usd', 'eur'].flatMap((each) => each ?? []);
const without = (asset: string | undefined) => PRICED.filter((each) => each !== asset);

describe('isAnswerable', () => {
  it('agrees with the graph of what is answerable', () => {
    const sets = [PRICED, ...PRICED.map((each) => without(each))];
    const any = () => true;
    const graph = new RoutingGraph(input);
    for (const priced of sets) {
      for (const chains of [CHAINS, ['alphanet'], ['betanet'], []]) {
        const o = { priced: new Set(priced), chains: new Set(chains) };
        const promised = new RoutingGraph(answerable(input, o));
        for (const from of ['usd', 'eur', USDC, FOREIGN]) {
          for (const to of [USDC, FOREIGN]) {
            const routes = graph.routes(from, to).filter((route) => isAnswerable(route, o));
            expect(routes.length > 0).toBe(promised.outputsOf(from, any).has(to));
          }
        }
      }
    }
  });
});

describe('answerable', () => {
  it('keeps what can be quoted', () => {
    expect(left(PRICED, CHAINS)).toEqual([USDC, FOREIGN, 'usd', 'eur']);
  });

  it('drops what has no price, and all of a chain whose gas has none', () => {
    expect(left(without(FOREIGN), CHAINS)).toEqual([USDC, 'usd', 'eur']);
    expect(left(without('eur'), CHAINS)).toEqual([USDC, FOREIGN, 'usd']);
    expect(left(without(NATIVE), CHAINS)).toEqual([FOREIGN, 'usd', 'eur']);
  });

  it('drops chains that have not said what they convert', () => {
    expect(left(PRICED, ['betanet'])).toEqual([FOREIGN, 'usd', 'eur']);
  });
});
