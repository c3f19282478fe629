import { isInScope, type AssetScope } from '@bascule/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { known, ramp, token } from '../testing/routing-world.fixture.js';
import type { EdgeRule, Requester } from '../routes/edge-rules.js';
import { GraphCache, MAX_GRAPHS } from './graph-cache.js';

const USDC = token('alphanet', '1');
const rules: EdgeRule[] = [{ name: 'ours', kind: 'ramp', where: {}, isBeta: false }];
const input = () => ({
  tokens: known(USDC),
  ramps: [ramp('swift', 'usd', USDC)],
  lanes: [],
  conversions: [],
});
const parties = {
  isChainIn: (scope: AssetScope, name: string) => isInScope(scope, name === 'alphanet'),
  isProviderIn: (scope: AssetScope, name: string) => isInScope(scope, name === 'thrift'),
};
const anybody: Requester = { features: [], openedEdges: [], methods: [] };
const opened = (edge: string): Requester => ({
  ...{ features: ['ORG_EDGES'], openedEdges: [edge], methods: [] },
});
const somebody = opened('ours');

describe('GraphCache', () => {
  let built: number;
  let made: number;
  let graphs: GraphCache;
  const of = (traveller: Requester, ...parts: unknown[]) =>
    graphs.get(traveller, parts, () => {
      made += 1;
      return input();
    });

  beforeEach(() => {
    built = 0;
    made = 0;
    graphs = new GraphCache(rules, parties, () => {
      built += 1;
    });
  });

  it('builds a graph once while its parts are the same objects', () => {
    const first = of(anybody, 'a', 1);
    expect(of({ ...anybody, features: ['BETA_EDGES'] }, 'a', 1)).toEqual(first);
    expect([made, built]).toEqual([1, 1]);
    const next = of(anybody, 'a', 2);
    expect(next.graph).not.toBe(first.graph);
    expect(next.revision).not.toBe(first.revision);
    expect([made, built]).toEqual([2, 2]);
  });

  it('builds one graph per set of admitted rules from the same input', () => {
    const [open, own] = [of(anybody, 'a'), of(somebody, 'a')];
    expect(open.accessKey).not.toBe(own.accessKey);
    expect([made, built]).toEqual([1, 2]);
    const any = () => true;
    expect([open.graph, own.graph].map((graph) => graph.outputsOf('usd', any).size)).toEqual([
      0, 1,
    ]);
    expect(of(somebody, 'a').graph).toBe(own.graph);
  });

  it('separates keys with and without an opt-in method', () => {
    const enabled = of({ ...anybody, methods: ['SWIFT'] }, 'a');
    expect(enabled.accessKey).not.toBe(of(anybody, 'a').accessKey);
    expect(of({ ...anybody, methods: ['SWIFT'] }, 'a').graph).toBe(enabled.graph);
  });

  it('keeps requesters to the chains and providers of their scope', () => {
    const LIVE = token('base', '2');
    const OTHER = token('alphanet', '3');
    const swaps = [
      { inputToken: USDC, outputToken: OTHER },
      { inputToken: LIVE, outputToken: LIVE },
    ];
    const mixed = {
      tokens: known(USDC, OTHER, LIVE),
      ramps: ['swift', 'thrift'].flatMap((name) => [
        ramp(name, 'usd', USDC),
        ramp(name, 'usd', LIVE),
      ]),
      lanes: [],
      conversions: swaps,
    };
    graphs = new GraphCache([], parties, () => undefined);
    const graphOf = (requester: Requester) => graphs.get(requester, ['a'], () => mixed);
    const [all, test, live] = [
      graphOf(anybody),
      graphOf({ ...anybody, scope: 'sandbox' }),
      graphOf({ ...anybody, scope: 'live' }),
    ];
    expect(new Set([all, test, live].map(({ accessKey }) => accessKey)).size).toBe(3);
    const outputs = ({ graph }: typeof all, provider: string) =>
      [...graph.outputsOf('usd', (each) => each.provider === provider)].sort();
    expect(outputs(test, 'thrift')).toEqual([USDC, OTHER].sort());
    expect(outputs(test, 'swift')).toEqual([]);
    expect(outputs(live, 'thrift')).toEqual([]);
    expect(outputs(live, 'swift')).toEqual([LIVE]);
    for (const provider of ['thrift', 'swift']) {
      expect(outputs(all, provider)).toEqual([USDC, OTHER, LIVE].sort());
    }
  });

  it('drops all graphs at its limit and rebuilds them equal', () => {
    const kinds = Array.from({ length: MAX_GRAPHS + 1 }, (_, i) => `ours ${i}`);
    const travellers = kinds.map(opened);
    graphs = new GraphCache(
      kinds.map((name) => ({ name, kind: 'ramp', where: {}, isBeta: false })),
      parties,
      () => undefined,
    );
    const [first] = travellers.map((traveller) => of(traveller, 'a'));
    const again = of(travellers[0] ?? anybody, 'a');
    expect(again.graph).not.toBe(first?.graph);
    expect(again).toEqual(first);
    expect(made).toBe(1);
  });
});
