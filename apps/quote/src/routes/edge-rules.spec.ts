import { FEATURES } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aWorld, eachToEach, lane, ramp, token } from '../testing/routing-world.fixture.js';
import { edgeAccess, restrictEdges, type EdgeRule } from './edge-rules.js';
import { parseEdgeRules } from './edge-rules.js';
import type { RoutingInput } from './routing-graph.js';

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
      { name: 'swift', ramp: { provider: 'Swift' }, beta: true },
      { name: 'back', lane: { origin: 'betanet' } },
      { name: 'weth', conversion: { token: WETH }, beta: true },
      { name: 'all', conversion: {} },
    ]),
  );
  type Features = (typeof FEATURES)[number][];
  const of = (openedEdges: string[], ...features: Features) => {
    const access = edgeAccess(rules, { openedEdges, features, methods: [] });
    return sizes(restrictEdges(access, rules, world));
  };
  const every = ['swift', 'back', 'weth', 'all'];

  it('drops restricted edges without a feature, also those opened for the organisation', () => {
    expect(of([])).toEqual([1, 1, 0]);
    expect(of(every)).toEqual([1, 1, 0]);
  });

  it('keeps edges marked beta with BETA_EDGES, for every organisation', () => {
    expect(of([], 'BETA_EDGES')).toEqual([2, 1, 2]);
  });

  it('keeps edges opened for the organisation with the feature of their mark', () => {
    expect(of([], 'ORG_EDGES', 'ORG_BETA_EDGES')).toEqual([1, 1, 0]);
    expect(of(['swift'], 'ORG_BETA_EDGES')).toEqual([2, 1, 0]);
    expect(of(['swift'], 'ORG_EDGES')).toEqual([1, 1, 0]);
    expect(of(['back'], 'ORG_EDGES')).toEqual([1, 2, 0]);
    expect(of(['back'], 'ORG_BETA_EDGES', 'BETA_EDGES')).toEqual([2, 1, 2]);
    expect(of(['back', 'unknown'], ...FEATURES)).toEqual([2, 2, 2]);
  });

  it('keeps an edge that any matching rule admits', () => {
    expect(of(['weth'], 'ORG_BETA_EDGES')).toEqual([1, 1, 2]);
    expect(of(['all'], 'ORG_EDGES')).toEqual([1, 1, 2]);
  });

  it('drops ramps of opt-in methods that the key lacks, whatever rule admits them', () => {
    const swift = {
      ...world,
      ramps: [...world.ramps, { ...ramp('thrift', 'usd', USDC), method: 'SWIFT' as const }],
    };
    const rampsFor = (methods: ['SWIFT'] | [], features: Features, some = rules) =>
      restrictEdges(
        edgeAccess(some, { openedEdges: [], features, methods }),
        some,
        swift,
      ).ramps.map(({ provider, method }) => `${provider} ${method}`);
    expect(rampsFor([], [])).toEqual(['thrift SEPA']);
    expect(rampsFor(['SWIFT'], [])).toEqual(['thrift SEPA', 'thrift SWIFT']);
    expect(rampsFor([], [], [])).toEqual(['swift SEPA', 'thrift SEPA']);
    const beta = parseEdgeRules('[{"name":"wire","ramp":{"method":"swift"},"beta":true}]');
    expect(rampsFor([], ['BETA_EDGES'], beta)).not.toContain('thrift SWIFT');
    expect(rampsFor(['SWIFT'], [], beta)).not.toContain('thrift SWIFT');
    expect(rampsFor(['SWIFT'], ['BETA_EDGES'], beta)).toContain('thrift SWIFT');
  });

  it('keeps no more edges with fewer features, and all edges without a rule', () => {
    const aRule: fc.Arbitrary<EdgeRule> = fc.record({
      kind: fc.constantFrom('ramp', 'lane', 'conversion'),
      name: fc.constantFrom('a', 'b'),
      where: fc.constant({}),
      isBeta: fc.boolean(),
    });
    const kinds = { ramp: 'ramps', lane: 'lanes', conversion: 'conversions' } as const;
    fc.assert(
      fc.property(
        aWorld,
        fc.array(aRule, { maxLength: 4 }),
        fc.subarray([...FEATURES]),
        fc.subarray(['a', 'b']),
        (input, some, features, openedEdges) => {
          const access = edgeAccess(some, { features, openedEdges, methods: [] });
          const open = restrictEdges(access, some, input);
          for (const [kind, name] of Object.entries(kinds)) {
            const about = some.filter((rule) => rule.kind === kind);
            const isOpen =
              about.length === 0 ||
              about.some(
                ({ name: edge, isBeta }) =>
                  (isBeta && features.includes('BETA_EDGES')) ||
                  (openedEdges.includes(edge) &&
                    features.includes(isBeta ? 'ORG_BETA_EDGES' : 'ORG_EDGES')),
              );
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
      JSON.stringify([{ name: 'a', ramp: { provider: 'SwiftRamp', fiat: 'EUR', method: 'sepa' } }]),
    );
    expect(rule).toEqual({
      name: 'a',
      kind: 'ramp',
      where: { provider: 'swiftramp', fiat: 'eur', method: 'SEPA' },
      isBeta: false,
    });
  });

  it.each([
    ['is no list', {}],
    ['names no kind of edge', [{ name: 'a', beta: true }]],
    ['names two kinds of edges', [{ name: 'a', ramp: {}, lane: {} }]],
    ['names a property of all objects', [{ name: 'a', constructor: {} }]],
    ['names an unknown field of the edge', [{ name: 'a', ramp: { chain: 'alphanet' } }]],
    ['has a number for a field', [{ name: 'a', ramp: { provider: 1 } }]],
    ['has an unknown field', [{ name: 'a', ramp: {}, feature: 'BETA_EDGES' }]],
    ['lacks a name', [{ ramp: {} }]],
    ['has a name with spaces', [{ name: 'a b', ramp: {} }]],
    ['has a mark that is no boolean', [{ name: 'a', ramp: {}, beta: 'yes' }]],
  ])('refuses a configuration that %s', (_, rules) => {
    expect(() => parseEdgeRules(JSON.stringify(rules))).toThrow(/^(expected|unknown field)/);
  });
});
