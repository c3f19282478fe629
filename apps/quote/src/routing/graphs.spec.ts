import { beforeEach, describe, expect, it } from '@jest/globals';
import { known, ramp, token } from '../testing/a-routing-world.fixture.js';
import type { EdgeRule, Traveller } from './edge-rules.js';
import { Graphs } from './graphs.js';

const USDC = token('alphanet', '1');
const rules: EdgeRule[] = [
  { kind: 'ramp', where: {}, feature: 'ORG_EDGES', organisations: ['ours'] },
];
const input = () => ({
  tokens: known(USDC),
  ramps: [ramp('swift', 'usd', USDC)],
  lanes: [],
  conversions: [],
});
const anybody: Traveller = { orgId: 'theirs', features: [] };
const somebody: Traveller = { orgId: 'ours', features: ['ORG_EDGES'] };

describe('Graphs', () => {
  let built: number;
  let made: number;
  let graphs: Graphs;
  const of = (traveller: Traveller, ...parts: unknown[]) =>
    graphs.of(traveller, parts, () => {
      made += 1;
      return input();
    });

  beforeEach(() => {
    built = 0;
    made = 0;
    graphs = new Graphs(rules, () => {
      built += 1;
    });
  });

  it('are made once, as long as their parts are the same ones', () => {
    const first = of(anybody, 'a', 1);
    expect(of({ orgId: 'third', features: ['BETA_EDGES'] }, 'a', 1)).toEqual(first);
    expect([made, built]).toEqual([1, 1]);
    const next = of(anybody, 'a', 2);
    expect(next.graph).not.toBe(first.graph);
    expect(next.revision).not.toBe(first.revision);
    expect([made, built]).toEqual([2, 2]);
  });

  it('are different for who may use different edges, of the same input', () => {
    const [open, own] = [of(anybody, 'a'), of(somebody, 'a')];
    expect(open.access).not.toBe(own.access);
    expect([made, built]).toEqual([1, 2]);
    const any = () => true;
    expect([open.graph, own.graph].map((graph) => graph.outputsOf('usd', any).size)).toEqual([
      0, 1,
    ]);
    expect(of(somebody, 'a').graph).toBe(own.graph);
  });
});
