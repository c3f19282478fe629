import type { TokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  aToken,
  aDenseWorld,
  aWorld,
  chainOf,
  eachToEach,
  allWalks,
  known,
  lane,
  ramp,
  token,
  WORLD_FIATS,
  WORLD_PROVIDERS,
  WORLD_TOKENS,
} from '../testing/routing-world.fixture.js';
import { converts, rampKey, countSteps, type BridgeLane, type Ramp, type Route } from './route.js';
import { MAX_ROUTES_PER_METHOD, RoutingGraph, type RoutingInput } from './routing-graph.js';

const USDC = token('alphanet', '1');
const WETH = token('alphanet', '2');
const NATIVE: TokenIdentifier = 'alphanet:0x';
const FOREIGN = token('betanet', '1');
const FOREIGN_NATIVE: TokenIdentifier = 'betanet:0x';
const LONELY = token('gammanet', '1');
const world: RoutingInput = {
  tokens: known(USDC, WETH, NATIVE, FOREIGN, FOREIGN_NATIVE, LONELY),
  ramps: [ramp('swift', 'usd', WETH), ramp('swift', 'usd', USDC), ramp('thrift', 'usd', FOREIGN)],
  lanes: [lane(USDC, FOREIGN)],
  conversions: [...eachToEach(USDC, WETH, NATIVE), ...eachToEach(FOREIGN, FOREIGN_NATIVE)],
};
const graph = new RoutingGraph(world);
/** Each leg's tokens, with the lane between two legs. */
const shape = ({ legs }: Route) =>
  legs.map(({ inputToken, outputToken, lane: over }) => [inputToken, outputToken, over]);

describe('RoutingGraph', () => {
  it('converts between two tokens of a chain, its native currency included', () => {
    expect(graph.routes(USDC, NATIVE)).toEqual([
      {
        ramp: null,
        legs: [{ chain: 'alphanet', inputToken: USDC, outputToken: NATIVE, lane: null }],
      },
    ]);
    expect(graph.routes(NATIVE, USDC)).toHaveLength(1);
  });

  it('transfers when input and output are equal', () => {
    expect(graph.routes(USDC, USDC).map(countSteps)).toEqual([0]);
  });

  it('crosses chains by a bridge, converting before it and after it as needed', () => {
    const bridged = lane(USDC, FOREIGN);
    expect(graph.routes(USDC, FOREIGN).map(shape)).toEqual([
      [
        [USDC, USDC, bridged],
        [FOREIGN, FOREIGN, null],
      ],
    ]);
    expect(graph.routes(WETH, FOREIGN_NATIVE).map(shape)).toEqual([
      [
        [WETH, USDC, bridged],
        [FOREIGN, FOREIGN_NATIVE, null],
      ],
    ]);
  });

  it('crosses to each hop in order, and to no chain twice', () => {
    const over = [lane(USDC, FOREIGN), lane(FOREIGN, LONELY), lane(USDC, LONELY)];
    const three = new RoutingGraph({ ...world, lanes: over });
    const through = (from: string, to: string, ...hops: string[]) =>
      three.routes(from, to, undefined, hops).map(shape);
    const first = [WETH, USDC, lane(USDC, FOREIGN)];
    expect(through(WETH, LONELY, 'betanet')).toEqual([
      [first, [FOREIGN, FOREIGN, lane(FOREIGN, LONELY)], [LONELY, LONELY, null]],
    ]);
    expect(through(USDC, LONELY)).toEqual([
      [
        [USDC, USDC, lane(USDC, LONELY)],
        [LONELY, LONELY, null],
      ],
    ]);
    expect(through(USDC, FOREIGN, 'gammanet')).toEqual([]);
    expect(through(USDC, WETH, 'betanet')).toEqual([]);
    expect(through(USDC, LONELY, 'alphanet')).toEqual([]);
    const bought = three.routes('usd', LONELY, undefined, ['betanet']);
    expect(bought.map(({ ramp: by, legs }) => [by?.token, legs.length])).toEqual([
      [USDC, 3],
      [WETH, 3],
    ]);
  });

  it('has one route over a pair, however many venues convert it', () => {
    const byTwo = world.conversions.flatMap((conversion) =>
      ['uniswap_v2', 'uniswap_v4'].map((venue) => ({ ...conversion, venue })),
    );
    const doubled = new RoutingGraph({ ...world, conversions: byTwo });
    for (const [from, to] of [
      [USDC, NATIVE],
      ['usd', NATIVE],
      [WETH, FOREIGN_NATIVE],
    ] as const) {
      expect(graph.routes(from, to)).not.toEqual([]);
      expect(doubled.routes(from, to)).toEqual(graph.routes(from, to));
    }
    expect(doubled.outputsOf('usd', () => true)).toEqual(graph.outputsOf('usd', () => true));
  });

  it('searches each token once, however many ramps sell it and routes pass it', () => {
    const names = ['first', 'second', 'third', 'fourth', 'fifth'];
    const digits = ['1', '2', '3', '4', '5', '6', '7', '8'];
    const tokensOf = (chain: string) => digits.map((digit) => token(chain, digit));
    let visits = 0;
    const counted = (input: TokenIdentifier, output: TokenIdentifier): BridgeLane => ({
      ...lane(input, output),
      get inputToken() {
        visits += 1;
        return input;
      },
    });
    const lanes = names
      .slice(1)
      .flatMap((name, index) =>
        tokensOf(names[index] ?? '').flatMap((input) =>
          tokensOf(name).map((output) => counted(input, output)),
        ),
      );
    const dense = new RoutingGraph({
      tokens: known(...names.flatMap(tokensOf)),
      ramps: Array.from({ length: 50 }, (_, index) => `provider${index}`).flatMap((provider) =>
        tokensOf('first').map((bought) => ramp(provider, 'usd', bought)),
      ),
      lanes,
      conversions: names.flatMap((name) => eachToEach(...tokensOf(name))),
    });
    visits = 0;
    let built = 0;
    const counting = () => (built += 1) > 0;
    const routes = dense.routes('usd', token('fifth', '1'), counting, names.slice(1, -1));
    expect(routes).toHaveLength(50 * MAX_ROUTES_PER_METHOD);
    expect(new Set(routes.map(countSteps))).toEqual(new Set([4]));
    expect(built).toBe(routes.length);
    // Each of 8 tokens reads each lane to the next chain at most twice, whatever the number of ramps.
    expect(visits).toBeLessThanOrEqual(2 * digits.length * lanes.length);
  });

  it('finds no route against a lane, to fiat, or to an unknown asset', () => {
    expect(graph.routes(FOREIGN, USDC)).toEqual([]);
    expect(graph.routes(USDC, LONELY)).toEqual([]);
    expect(graph.routes(USDC, 'usd')).toEqual([]);
    expect(graph.routes('usd', 'eur')).toEqual([]);
    expect(graph.routes(USDC, token('alphanet', '9'))).toEqual([]);
    expect(graph.routes('eur', USDC)).toEqual([]);
  });

  it('buys the output, or another token to convert or bridge', () => {
    const ways = graph.routes('usd', USDC);
    expect(ways.map((route) => [route.ramp?.token, countSteps(route)])).toEqual([
      [USDC, 0],
      [WETH, 1],
    ]);
    const abroad = graph.routes('usd', FOREIGN);
    expect(abroad.map((route) => [route.ramp?.token, countSteps(route)])).toEqual([
      [FOREIGN, 0],
      [USDC, 1],
      [WETH, 2],
    ]);
  });

  it('converts only pairs of a venue', () => {
    const lonely = new RoutingGraph({ ...world, ramps: [], conversions: [] });
    expect(lonely.routes(USDC, WETH)).toEqual([]);
    expect(lonely.routes(LONELY, LONELY)).toHaveLength(1);
    expect(lonely.routes(USDC, FOREIGN)).toHaveLength(1);
    expect(lonely.routes(WETH, FOREIGN)).toEqual([]);
    const oneWay = { inputToken: WETH, outputToken: USDC };
    const half = new RoutingGraph({ ...world, conversions: [oneWay] });
    expect(half.routes(WETH, USDC)).toHaveLength(1);
    expect(half.routes(WETH, FOREIGN)).toHaveLength(1);
    expect(half.routes(USDC, WETH)).toEqual([]);
    expect(half.routes(WETH, NATIVE)).toEqual([]);
  });

  it('tries at most four routes of one provider and method, the shortest among them', () => {
    const many = ['3', '4', '5', '6', '7', '1'].map((digit) => token('alphanet', digit));
    const wide = new RoutingGraph({
      tokens: known(...many),
      ramps: many.map((bought) => ramp('swift', 'usd', bought)),
      lanes: [],
      conversions: eachToEach(...many),
    });
    const routes = wide.routes('usd', USDC);
    expect(routes).toHaveLength(4);
    expect(routes[0]?.ramp?.token).toBe(USDC);
  });

  it('fills up with other routes only where preferred ones are too few', () => {
    const many = ['3', '4', '5', '6', '7', '1'].map((digit) => token('alphanet', digit));
    const wide = new RoutingGraph({
      tokens: known(...many),
      ramps: many.map((bought) => ramp('swift', 'usd', bought)),
      lanes: [],
      conversions: eachToEach(...many),
    });
    const last = many.at(-2);
    const [first, ...others] = wide.routes('usd', USDC, (route) => route.ramp?.token === last);
    expect(first?.ramp?.token).toBe(last);
    expect(others).toHaveLength(MAX_ROUTES_PER_METHOD - 1);
    expect(others[0]?.ramp?.token).toBe(USDC);
  });

  describe('compared with an exhaustive search', () => {
    function walked({ ramp: bought, legs }: Route): string[] {
      const path = legs.flatMap((leg) => [
        ...(converts(leg) ? [leg.inputToken, 'convert'] : []),
        leg.outputToken,
        ...(leg.lane ? [leg.lane.bridge] : []),
      ]);
      return bought ? ['buy', ...path] : path;
    }

    it('finds exactly the shortest routes of each provider and method', () => {
      let crossed = 0;
      let crossedTwice = 0;
      fc.assert(
        fc.property(
          fc.oneof(aWorld, aDenseWorld),
          fc.constantFrom(...WORLD_FIATS, ...WORLD_TOKENS),
          aToken,
          fc.constantFrom([], [], ['alphanet'], ['betanet'], ['gammanet'], ['betanet', 'gammanet']),
          (input, from, to, hops) => {
            const routes = new RoutingGraph(input).routes(from, to, undefined, hops);
            const ways = allWalks(input, from, to, hops);
            for (const route of routes) {
              crossed += Number(route.legs.length === 2);
              crossedTwice += Number(route.legs.length === 3);
              const isThere = ways.some(
                ({ key, path }) =>
                  key === rampKey(route.ramp) && path.join() === walked(route).join(),
              );
              expect(isThere).toBe(true);
            }
            for (const key of new Set(ways.map((way) => way.key))) {
              const lengths = ways.filter((way) => way.key === key).map(({ steps }) => steps);
              const shortest = lengths.sort((a, b) => a - b).slice(0, MAX_ROUTES_PER_METHOD);
              const chosen = routes.filter((route) => rampKey(route.ramp) === key).map(countSteps);
              expect(chosen).toEqual(shortest);
              const paths = routes
                .filter((route) => rampKey(route.ramp) === key)
                .map((route) => walked(route).join());
              expect(new Set(paths).size).toBe(paths.length);
            }
          },
        ),
        { numRuns: 2_000 },
      );
      expect(crossed).toBeGreaterThan(0);
      expect(crossedTwice).toBeGreaterThan(0);
    });

    it('reaches the same assets, forwards and backwards, with routes to each', () => {
      const aFilter = fc.option(fc.constantFrom(...WORLD_PROVIDERS), { nil: undefined });
      let reached = 0;
      let unreached = 0;
      fc.assert(
        fc.property(aWorld, aFilter, (input, only) => {
          const graph = new RoutingGraph(input);
          const mayBuy = ({ provider }: Ramp): boolean => only === undefined || provider === only;
          const allowed = { ...input, ramps: input.ramps.filter(mayBuy) };
          const assets = [...WORLD_FIATS, ...WORLD_TOKENS];
          const backwards = new Map(
            WORLD_TOKENS.map((to) => {
              const { fiats, tokens } = graph.inputsOf(to, mayBuy);
              return [to, new Set<string>([...fiats, ...tokens])];
            }),
          );
          const wrong: unknown[] = [];
          for (const from of assets) {
            const forwards = graph.outputsOf(from, mayBuy);
            for (const to of WORLD_TOKENS) {
              const ways = allWalks(allowed, from, to);
              const isReached = ways.length > 0;
              const routes = graph
                .routes(from, to)
                .filter((route) => !route.ramp || mayBuy(route.ramp));
              const bought = graph.rampsTo(from, to).filter(mayBuy).map(rampKey);
              const begun = ways.map(({ key }) => key).filter((key) => key !== 'tokens');
              const answers = [forwards.has(to), backwards.get(to)?.has(from), routes.length > 0];
              const agree =
                answers.every((answer) => answer === isReached) &&
                [...new Set(bought)].sort().join() === [...new Set(begun)].sort().join();
              if (!agree) wrong.push({ from, to, isReached, answers, bought, begun });
              if (isReached) reached += 1;
              else unreached += 1;
            }
          }
          expect(wrong).toEqual([]);
        }),
        { numRuns: 100 },
      );
      expect(Math.min(reached, unreached)).toBeGreaterThan(100);
    });
  });

  it('lists the chains that a bridge connects', () => {
    expect(graph.crosses(chainOf(USDC), chainOf(FOREIGN))).toBe(true);
    expect(graph.crosses(chainOf(FOREIGN), chainOf(USDC))).toBe(false);
    const unlisted = new RoutingGraph({ ...world, tokens: known(USDC) });
    expect(unlisted.crosses(chainOf(USDC), chainOf(FOREIGN))).toBe(false);
  });
});
