import { FEATURES, type Feature } from '@bascule/contracts';
import { chainOfToken, type BridgeLane, type Conversion, type Ramp } from './route.js';
import type { RoutingInput } from './routing-graph.js';

/** Fields that a rule may match, by kind of edge. The token of a conversion may be its input or its output. */
export const EDGE_FIELDS = {
  ramp: ['provider', 'method', 'fiat', 'token'],
  lane: ['bridge', 'origin', 'destination', 'input_token', 'output_token'],
  conversion: ['chain', 'token'],
} as const;

export type EdgeKind = keyof typeof EDGE_FIELDS;
type EdgeFields = Readonly<Record<string, readonly string[]>>;

/** Restriction of matching edges to requests with a feature, and optionally to some organisations. */
export interface EdgeRule {
  kind: EdgeKind;
  /** Required values by field; an empty record matches every edge of the kind. */
  where: Readonly<Record<string, string>>;
  /** Feature that the request has to name. */
  feature: Feature;
  /** Ids of the admitted organisations; all organisations when absent. */
  organisations?: readonly string[];
}

/** Organisation and features of a request, which decide on the edges it may use. */
export interface Requester {
  orgId: string;
  features: readonly Feature[];
}

/** Indices of the rules that admit a requester. Requesters with equal indices share a graph. */
export type AdmittedRules = readonly number[];

export const admittedRules = (
  rules: readonly EdgeRule[],
  { orgId, features }: Requester,
): AdmittedRules =>
  rules.flatMap(({ feature, organisations }, index) =>
    features.includes(feature) && (organisations?.includes(orgId) ?? true) ? [index] : [],
  );

/** Drops each edge that at least one rule matches and no matching rule admits. */
export function restrictEdges(
  access: AdmittedRules,
  rules: readonly EdgeRule[],
  input: RoutingInput,
): RoutingInput {
  const admitted = new Set(access);
  const mayUse = (kind: EdgeKind, fields: EdgeFields): boolean => {
    const matching = rules.flatMap((rule, index) => (matches(rule, kind, fields) ? [index] : []));
    return matching.length === 0 || matching.some((index) => admitted.has(index));
  };
  if (rules.length === 0) return input;
  return {
    tokens: input.tokens,
    ramps: input.ramps.filter((ramp) => mayUse('ramp', fieldsOfRamp(ramp))),
    lanes: input.lanes.filter((lane) => mayUse('lane', fieldsOfLane(lane))),
    conversions: input.conversions.filter((edge) => mayUse('conversion', fieldsOfConversion(edge))),
  };
}

const matches = (rule: EdgeRule, kind: EdgeKind, fields: EdgeFields): boolean =>
  rule.kind === kind &&
  Object.entries(rule.where).every(([field, value]) => fields[field]?.includes(value));

const fieldsOfRamp = ({ provider, method, fiat, token }: Ramp): EdgeFields => ({
  provider: [provider],
  method: [method],
  fiat: [fiat],
  token: [token],
});

const fieldsOfLane = ({ bridge, inputToken, outputToken }: BridgeLane): EdgeFields => ({
  bridge: [bridge],
  origin: [chainOfToken(inputToken)],
  destination: [chainOfToken(outputToken)],
  input_token: [inputToken],
  output_token: [outputToken],
});

const fieldsOfConversion = ({ inputToken, outputToken }: Conversion): EdgeFields => ({
  chain: [chainOfToken(inputToken)],
  token: [inputToken, outputToken],
});

/** Parses `EDGE_RULES`, a JSON array. @throws Error that names the first problem */
export function parseEdgeRules(text: string): readonly EdgeRule[] {
  const items: unknown = JSON.parse(text);
  if (!Array.isArray(items)) throw new Error('expected a list of rules');
  return items.map((item: unknown) => parseEdgeRule(item));
}

/** Parses `{<kind>: {…}, feature, organisations?}`. */
function parseEdgeRule(item: unknown): EdgeRule {
  const fields = record(item, 'a rule');
  const [kind, ...others] = Object.keys(fields).filter((name) => isKind(name));
  if (!isKind(kind) || others.length > 0) throw new Error('expected one of ramp, lane, conversion');
  const unknown = Object.keys(fields).find(
    (name) => ![kind, 'feature', 'organisations'].includes(name),
  );
  if (unknown !== undefined) throw new Error(`unknown field of a rule: ${unknown}`);
  const { feature, organisations } = fields;
  if (!isFeature(feature)) throw new Error(`expected a feature: ${FEATURES.join(', ')}`);
  const rule = { kind, where: parseWhere(kind, fields[kind]), feature };
  if (feature === 'BETA_EDGES') {
    if (organisations !== undefined) throw new Error('BETA_EDGES must not list organisations');
    return rule;
  }
  return { ...rule, organisations: parseOrganisations(feature, organisations) };
}

function parseWhere(kind: EdgeKind, given: unknown): Record<string, string> {
  const names: readonly string[] = EDGE_FIELDS[kind];
  return Object.fromEntries(
    Object.entries(record(given, kind)).map(([name, value]) => {
      if (!names.includes(name)) throw new Error(`unknown field of ${kind}: ${name}`);
      if (typeof value !== 'string' || value === '') throw new Error(`expected ${name} as text`);
      return [name, name === 'method' ? value.toUpperCase() : value.toLowerCase()];
    }),
  );
}

function parseOrganisations(feature: Feature, given: unknown): string[] {
  const isList = Array.isArray(given) && given.every((id) => typeof id === 'string');
  if (!isList || given.length === 0) throw new Error(`${feature} requires organisations`);
  return given;
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`expected ${what} as an object`);
  }
  return value as Record<string, unknown>;
}

const isKind = (name: string | undefined): name is EdgeKind =>
  name !== undefined && Object.hasOwn(EDGE_FIELDS, name);
const isFeature = (value: unknown): value is Feature =>
  FEATURES.some((feature) => feature === value);
