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

describe('edges that are not for everybody', () => {
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

  it('are not there for who does not ask for them', () => {
    expect(of(OURS)).toEqual([1, 1, 0]);
    expect(of(THEIRS)).toEqual([1, 1, 0]);
  });

  it('are there for who asks, and for nobody but the organisations where some are named', () => {
    expect(of(THEIRS, 'BETA_EDGES')).toEqual([2, 1, 2]);
    expect(of(THEIRS, 'ORG_EDGES', 'ORG_BETA_EDGES')).toEqual([1, 1, 0]);
    expect(of(OURS, 'ORG_EDGES')).toEqual([1, 2, 0]);
    expect(of(OURS, ...FEATURES)).toEqual([2, 2, 2]);
  });

  it('are open to whom any of the rules about them admits', () => {
    expect(of(OURS, 'ORG_BETA_EDGES')).toEqual([1, 1, 2]);
  });

  it('never open an edge to who asks for less, and close none without a rule', () => {
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
  it('takes names in any letter case', () => {
    const [rule] = parseEdgeRules(
      JSON.stringify([
        { ramp: { provider: 'SwiftRamp', fiat: 'EUR', method: 'sepa' }, feature: 'BETA_EDGES' },
      ]),
    );
    expect(rule?.where).toEqual({ provider: 'swiftramp', fiat: 'eur', method: 'SEPA' });
  });

  it.each([
    ['is no list', {}],
    ['is about nothing', [{ feature: 'BETA_EDGES' }]],
    ['is about two kinds', [{ ramp: {}, lane: {}, feature: 'BETA_EDGES' }]],
    ['is about every object', [{ constructor: {}, feature: 'BETA_EDGES' }]],
    ['names something else', [{ ramp: { chain: 'alphanet' }, feature: 'BETA_EDGES' }]],
    ['names a number', [{ ramp: { provider: 1 }, feature: 'BETA_EDGES' }]],
    ['has an unknown feature', [{ ramp: {}, feature: 'ALPHA_EDGES' }]],
    ['has an unknown field', [{ ramp: {}, feature: 'BETA_EDGES', org: OURS }]],
    ['needs organisations', [{ ramp: {}, feature: 'ORG_EDGES' }]],
    ['needs one organisation at least', [{ ramp: {}, feature: 'ORG_EDGES', organisations: [] }]],
    ['has no use for organisations', [{ ramp: {}, feature: 'BETA_EDGES', organisations: [OURS] }]],
  ])('refuses what %s', (_, rules) => {
    expect(() => parseEdgeRules(JSON.stringify(rules))).toThrow(
      /^(expected|unknown field|ORG|BETA)/,
    );
  });
});
