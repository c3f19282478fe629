import { FEATURES } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aWorld, eachToEach, lane, ramp, token } from '../testing/routing-world.fixture.js';
import { admittedRules, restrictEdges, type EdgeRule } from './edge-rules.js';
import { parseEdgeRules } from './edge-rules.js';
import type { RoutingInput } from './routing-graph.js';

const OURS = '0190b2c3-0000-7000-8000-00000000000a';
const THEIRS = '0190b2c3-0000-7000-8000-00000000000b';
const [USDC, WETH, FOREIGN] = [
  token('alphanet', '1'),
  token('alphanet', '2'),
  token('betanet', '1'),
];
const world: RoutingInput = {
  tokens: [],
  ramps: [ramp('swift', 'usd', USDC), ramp('thrift', 'eur', WETH)],
  lanes: [lane(USDC, FOREIGN), lane(FOREIGN, USDC)],
  conversions: eachToEach(USDC, WETH),
};
const sizes = ({ ramps, lanes, conversions }: RoutingInput) => [
  ramps.length,
  lanes.length,
  conversions.length,
];

describe('restrictEdges', () => {
  const rules = parseEdgeRules(
    JSON.stringify([
      { ramp: { provider: 'Swift' }, feature: 'BETA_EDGES' },
      { lane: { origin: 'betanet' }, feature: 'ORG_EDGES', organisations: [OURS] },
      { conversion: { token: WETH }, feature: 'ORG_BETA_EDGES', organisations: [OURS] },
      { conversion: {}, feature: 'BETA_EDGES' },
    ]),
  );
  const of = (orgId: string, ...features: (typeof FEATURES)[number][]) => {
    const access = admittedRules(rules, { orgId, features });
    return sizes(restrictEdges(access, rules, world));
  };

  it('drops restricted edges without the feature', () => {
    expect(of(OURS)).toEqual([1, 1, 0]);
    expect(of(THEIRS)).toEqual([1, 1, 0]);
  });

  it('keeps them with the feature, for the listed organisations only', () => {
    expect(of(THEIRS, 'BETA_EDGES')).toEqual([2, 1, 2]);
    expect(of(THEIRS, 'ORG_EDGES', 'ORG_BETA_EDGES')).toEqual([1, 1, 0]);
    expect(of(OURS, 'ORG_EDGES')).toEqual([1, 2, 0]);
    expect(of(OURS, ...FEATURES)).toEqual([2, 2, 2]);
  });

  it('keeps an edge that any matching rule admits', () => {
    expect(of(OURS, 'ORG_BETA_EDGES')).toEqual([1, 1, 2]);
  });

  it('keeps no more edges with fewer features, and all edges without a rule', () => {
    const aRule: fc.Arbitrary<EdgeRule> = fc.record({
      kind: fc.constantFrom('ramp', 'lane', 'conversion'),
      where: fc.constant({}),
      feature: fc.constantFrom(...FEATURES),
    });
    const kinds = { ramp: 'ramps', lane: 'lanes', conversion: 'conversions' } as const;
    fc.assert(
      fc.property(
        aWorld,
        fc.array(aRule, { maxLength: 4 }),
        fc.subarray([...FEATURES]),
        (input, some, features) => {
          const traveller = { orgId: OURS, features };
          const open = restrictEdges(admittedRules(some, traveller), some, input);
          for (const [kind, name] of Object.entries(kinds)) {
            const about = some.filter((rule) => rule.kind === kind);
            const isOpen =
              about.length === 0 || about.some(({ feature }) => features.includes(feature));
            expect(open[name]).toEqual(isOpen ? input[name] : []);
          }
        },
      ),
    );
  });
});

describe('parseEdgeRules', () => {
  it('accepts names in any letter case', () => {
    const [rule] = parseEdgeRules(
      JSON.stringify([
        { ramp: { provider: 'SwiftRamp', fiat: 'EUR', method: 'sepa' }, feature: 'BETA_EDGES' },
      ]),
    );
    expect(rule?.where).toEqual({ provider: 'swiftramp', fiat: 'eur', method: 'SEPA' });
  });

  it.each([
    ['is no list', {}],
    ['names no kind of edge', [{ feature: 'BETA_EDGES' }]],
    ['names two kinds of edges', [{ ramp: {}, lane: {}, feature: 'BETA_EDGES' }]],
    ['names a property of all objects', [{ constructor: {}, feature: 'BETA_EDGES' }]],
    [
      'names an unknown field of the edge',
      [{ ramp: { chain: 'alphanet' }, feature: 'BETA_EDGES' }],
    ],
    ['has a number for a name', [{ ramp: { provider: 1 }, feature: 'BETA_EDGES' }]],
    ['has an unknown feature', [{ ramp: {}, feature: 'ALPHA_EDGES' }]],
    ['has an unknown field', [{ ramp: {}, feature: 'BETA_EDGES', org: OURS }]],
    ['lacks organisations', [{ ramp: {}, feature: 'ORG_EDGES' }]],
    ['has an empty list of organisations', [{ ramp: {}, feature: 'ORG_EDGES', organisations: [] }]],
    [
      'lists organisations of BETA_EDGES',
      [{ ramp: {}, feature: 'BETA_EDGES', organisations: [OURS] }],
    ],
  ])('refuses a configuration that %s', (_, rules) => {
    expect(() => parseEdgeRules(JSON.stringify(rules))).toThrow(
      /^(expected|unknown field|ORG|BETA)/,
    );
  });
});
