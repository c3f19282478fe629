import type { TokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { converts, rampKey, stepsOf, type BridgeLane, type Ramp, type Route } from './route.js';
import { MAX_ROUTES_PER_METHOD, RoutingGraph, type RoutingInput } from './routing-graph.js';

const token = (chain: string, digit: string): TokenIdentifier => `${chain}:0x${digit.repeat(40)}`;
const chainOf = (id: string): string => id.slice(0, id.indexOf(':'));
const known = (...ids: TokenIdentifier[]) => ids.map((id) => ({ id, chain: chainOf(id) }));
const USDC = token('alphanet', '1');
const WETH = token('alphanet', '2');
const NATIVE: TokenIdentifier = 'alphanet:0x';
const FOREIGN = token('betanet', '1');
const FOREIGN_NATIVE: TokenIdentifier = 'betanet:0x';
const LONELY = token('gammanet', '1');
const ramp = (provider: string, fiat: string, bought: TokenIdentifier): Ramp => ({
  provider,
  method: 'SEPA',
  fiat,
  token: bought,
  limits: { min: '1', max: '100' },
});
const lane = (inputToken: TokenIdentifier, outputToken: TokenIdentifier): BridgeLane => ({
  bridge: 'intent_escrow',
  inputToken,
  outputToken,
});
const world: RoutingInput = {
  tokens: known(USDC, WETH, NATIVE, FOREIGN, FOREIGN_NATIVE, LONELY),
  ramps: [ramp('swift', 'usd', WETH), ramp('swift', 'usd', USDC), ramp('thrift', 'usd', FOREIGN)],
  lanes: [lane(USDC, FOREIGN)],
  convertingChains: new Set(['alphanet', 'betanet']),
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

  it('transfers when the input is the output', () => {
    expect(graph.routes(USDC, USDC).map(stepsOf)).toEqual([0]);
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

  it('has no route against a bridge, to fiat, or to what it does not know', () => {
    expect(graph.routes(FOREIGN, USDC)).toEqual([]);
    expect(graph.routes(USDC, LONELY)).toEqual([]);
    expect(graph.routes(USDC, 'usd')).toEqual([]);
    expect(graph.routes('usd', 'eur')).toEqual([]);
    expect(graph.routes(USDC, token('alphanet', '9'))).toEqual([]);
    expect(graph.routes('eur', USDC)).toEqual([]);
  });

  it('buys the token itself, another one of the chain that is then converted, or one to bridge', () => {
    const ways = graph.routes('usd', USDC);
    expect(ways.map((route) => [route.ramp?.token, stepsOf(route)])).toEqual([
      [USDC, 0],
      [WETH, 1],
    ]);
    const abroad = graph.routes('usd', FOREIGN);
    expect(abroad.map((route) => [route.ramp?.token, stepsOf(route)])).toEqual([
      [FOREIGN, 0],
      [USDC, 1],
      [WETH, 2],
    ]);
  });

  it('does not convert on a chain without a venue', () => {
    const lonely = new RoutingGraph({ ...world, ramps: [], convertingChains: new Set() });
    expect(lonely.routes(USDC, WETH)).toEqual([]);
    expect(lonely.routes(LONELY, LONELY)).toHaveLength(1);
    expect(lonely.routes(USDC, FOREIGN)).toHaveLength(1);
    expect(lonely.routes(WETH, FOREIGN)).toEqual([]);
  });

  it('tries at most four routes of one provider and method, the shortest among them', () => {
    const many = ['3', '4', '5', '6', '7', '1'].map((digit) => token('alphanet', digit));
    const wide = new RoutingGraph({
      tokens: known(...many),
      ramps: many.map((bought) => ramp('swift', 'usd', bought)),
      lanes: [],
      convertingChains: new Set(['alphanet']),
    });
    const routes = wide.routes('usd', USDC);
    expect(routes).toHaveLength(4);
    expect(routes[0]?.ramp?.token).toBe(USDC);
  });

  describe('against a search of every way there is', () => {
    const chains = ['alphanet', 'betanet', 'gammanet'];
    const tokens = chains.flatMap((chain) => ['1', '2', '3'].map((digit) => token(chain, digit)));
    const anyToken = fc.constantFrom(...tokens);
    const aRamp = fc
      .tuple(fc.constantFrom('swift', 'thrift'), fc.constantFrom('usd', 'eur'), anyToken)
      .map(([provider, fiat, bought]) => ramp(provider, fiat, bought));
    const aLane = fc
      .tuple(fc.constantFrom('one', 'two'), anyToken, anyToken)
      .filter(([, input, output]) => chainOf(input) !== chainOf(output))
      .map(([bridge, inputToken, outputToken]) => ({ bridge, inputToken, outputToken }));
    const distinct = <T>(items: fc.Arbitrary<T>) =>
      fc.uniqueArray(items, { selector: (item) => JSON.stringify(item), maxLength: 14 });
    const aWorld: fc.Arbitrary<RoutingInput> = fc.record({
      tokens: fc.subarray(tokens).map((ids) => known(...ids)),
      ramps: distinct(aRamp),
      lanes: distinct(aLane),
      convertingChains: fc.subarray(chains).map((names) => new Set(names)),
    });

    interface Walk {
      key: string;
      at: string;
      path: string[];
      steps: number;
      bridges: number;
      mayConvert: boolean;
    }

    /** Walks from token to token, with at most one bridge and one conversion on each chain. */
    function everyWay(input: RoutingInput, from: string, to: string): Walk[] {
      const listed = new Set<string>(input.tokens.map(({ id }) => id));
      const still = { steps: 0, bridges: 0, mayConvert: true };
      const queue: Walk[] = input.ramps
        .filter(({ fiat }) => fiat === from)
        .map((bought) => ({ ...still, key: rampKey(bought), at: bought.token, path: ['buy'] }));
      if (from.includes(':')) queue.push({ ...still, key: 'tokens', at: from, path: [] });
      const found: Walk[] = [];
      for (let walk = queue.pop(); walk; walk = queue.pop()) {
        const { at, path, steps } = walk;
        if (!listed.has(at)) continue;
        if (at === to) found.push({ ...walk, path: [...path, at] });
        if (walk.mayConvert && input.convertingChains.has(chainOf(at))) {
          for (const next of listed) {
            if (next === at || chainOf(next) !== chainOf(at)) continue;
            const convert = [...path, at, 'convert'];
            queue.push({ ...walk, at: next, path: convert, steps: steps + 1, mayConvert: false });
          }
        }
        for (const { bridge, inputToken, outputToken } of input.lanes) {
          if (inputToken !== at || walk.bridges > 0) continue;
          const over = [...path, at, bridge];
          const crossed = { at: outputToken, path: over, steps: steps + 1, bridges: 1 };
          queue.push({ ...walk, ...crossed, mayConvert: true });
        }
      }
      return found;
    }

    function walked({ ramp: bought, legs }: Route): string[] {
      const path = legs.flatMap((leg) => [
        ...(converts(leg) ? [leg.inputToken, 'convert'] : []),
        leg.outputToken,
        ...(leg.lane ? [leg.lane.bridge] : []),
      ]);
      return bought ? ['buy', ...path] : path;
    }

    it('finds the shortest ways of each provider and method, each once, and no other', () => {
      let crossed = 0;
      fc.assert(
        fc.property(
          aWorld,
          fc.constantFrom('usd', 'eur', ...tokens),
          anyToken,
          (input, from, to) => {
            const routes = new RoutingGraph(input).routes(from, to);
            const ways = everyWay(input, from, to);
            for (const route of routes) {
              crossed += route.legs.length - 1;
              const isThere = ways.some(
                ({ key, path }) =>
                  key === rampKey(route.ramp) && path.join() === walked(route).join(),
              );
              expect(isThere).toBe(true);
            }
            for (const key of new Set(ways.map((way) => way.key))) {
              const lengths = ways.filter((way) => way.key === key).map(({ steps }) => steps);
              const shortest = lengths.sort((a, b) => a - b).slice(0, MAX_ROUTES_PER_METHOD);
              const chosen = routes.filter((route) => rampKey(route.ramp) === key).map(stepsOf);
              expect(chosen).toEqual(shortest);
              const paths = routes
                .filter((route) => rampKey(route.ramp) === key)
                .map((route) => walked(route).join());
              expect(new Set(paths).size).toBe(paths.length);
            }
          },
        ),
        { numRuns: 500 },
      );
      expect(crossed).toBeGreaterThan(0);
    });
  });
});
