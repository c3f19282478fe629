import type { Feature } from '@bascule/contracts';
import { chainOfToken, type BridgeLane, type Conversion, type Ramp } from './route.js';
import type { RoutingInput } from './routing-graph.js';

/** What a rule may name of each kind of edge. A token or chain of a conversion is on either side of it. */
export const EDGE_FACTS = {
  ramp: ['provider', 'method', 'fiat', 'token'],
  lane: ['bridge', 'origin', 'destination', 'input_token', 'output_token'],
  conversion: ['chain', 'token'],
} as const;

export type EdgeKind = keyof typeof EDGE_FACTS;
type Facts = Readonly<Record<string, readonly string[]>>;

/** Edges that only some may use. */
export interface EdgeRule {
  kind: EdgeKind;
  /** What the edge has to be; all edges of the kind when empty. */
  where: Readonly<Record<string, string>>;
  /** What a request has to ask for. */
  feature: Feature;
  /** Ids of the organisations that it is for; all of them when absent. */
  organisations?: readonly string[];
}

/** On whose behalf routes are looked for. */
export interface Traveller {
  orgId: string;
  features: readonly Feature[];
}

/** Which of the rules admit somebody, by their indices: all that tells two travellers apart. */
export type Access = readonly number[];

export const accessOf = (rules: readonly EdgeRule[], { orgId, features }: Traveller): Access =>
  rules.flatMap(({ feature, organisations }, index) =>
    features.includes(feature) && (organisations?.includes(orgId) ?? true) ? [index] : [],
  );

/** Without the edges that rules are about of which none admits. */
export function restrictedTo(
  access: Access,
  rules: readonly EdgeRule[],
  input: RoutingInput,
): RoutingInput {
  const admitted = new Set(access);
  const mayUse = (kind: EdgeKind, facts: Facts): boolean => {
    const about = rules.flatMap((rule, index) => (isAbout(rule, kind, facts) ? [index] : []));
    return about.length === 0 || about.some((index) => admitted.has(index));
  };
  if (rules.length === 0) return input;
  return {
    tokens: input.tokens,
    ramps: input.ramps.filter((ramp) => mayUse('ramp', factsOfRamp(ramp))),
    lanes: input.lanes.filter((lane) => mayUse('lane', factsOfLane(lane))),
    conversions: input.conversions.filter((edge) => mayUse('conversion', factsOfConversion(edge))),
  };
}

const isAbout = (rule: EdgeRule, kind: EdgeKind, facts: Facts): boolean =>
  rule.kind === kind &&
  Object.entries(rule.where).every(([fact, value]) => facts[fact]?.includes(value));

const factsOfRamp = ({ provider, method, fiat, token }: Ramp): Facts => ({
  provider: [provider],
  method: [method],
  fiat: [fiat],
  token: [token],
});

const factsOfLane = ({ bridge, inputToken, outputToken }: BridgeLane): Facts => ({
  bridge: [bridge],
  origin: [chainOfToken(inputToken)],
  destination: [chainOfToken(outputToken)],
  input_token: [inputToken],
  output_token: [outputToken],
});

const factsOfConversion = ({ inputToken, outputToken }: Conversion): Facts => ({
  chain: [chainOfToken(inputToken)],
  token: [inputToken, outputToken],
});
