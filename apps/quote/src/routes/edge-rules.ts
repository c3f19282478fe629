import {
  EDGE_NAME,
  OPT_IN_METHODS,
  type AssetScope,
  type Feature,
  type OptInMethod,
} from '@bascule/contracts';
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

/** Restriction of matching edges to requests with a feature. */
export interface EdgeRule {
  /** Name under which an operator opens the edges to organisations; rules may share one. */
  name: string;
  kind: EdgeKind;
  /** Required values by field; an empty record matches every edge of the kind. */
  where: Readonly<Record<string, string>>;
  /** Whether the edges are in a public test. */
  isBeta: boolean;
}

/** Facts about a request that decide on the edges it may use. */
export interface Requester {
  features: readonly Feature[];
  /** Names of rules whose edges an operator opened for the organisation. */
  openedEdges: readonly string[];
  /** Opt-in methods that an operator enabled for the key. */
  methods: readonly OptInMethod[];
  /** Chains and providers that the key uses; `all` where absent. */
  scope?: AssetScope;
}

/** Access of a requester. Requesters with equal access share a graph. */
export interface EdgeAccess {
  /** Indices of the rules that admit the requester. */
  rules: readonly number[];
  /** Opt-in methods, in the order of `OPT_IN_METHODS`. */
  methods: readonly OptInMethod[];
  scope: AssetScope;
}

/** Edges marked beta are open with `BETA_EDGES`; those opened for an organisation with the feature of their mark. */
const isAdmitted = ({ name, isBeta }: EdgeRule, { features, openedEdges }: Requester): boolean =>
  (isBeta && features.includes('BETA_EDGES')) ||
  (openedEdges.includes(name) && features.includes(isBeta ? 'ORG_BETA_EDGES' : 'ORG_EDGES'));

export const edgeAccess = (rules: readonly EdgeRule[], requester: Requester): EdgeAccess => ({
  rules: rules.flatMap((rule, index) => (isAdmitted(rule, requester) ? [index] : [])),
  methods: OPT_IN_METHODS.filter((method) => requester.methods.includes(method)),
  scope: requester.scope ?? 'all',
});

/** Drops each edge that at least one rule matches and no matching rule admits, and ramps of other opt-in methods. */
export function restrictEdges(
  access: EdgeAccess,
  rules: readonly EdgeRule[],
  input: RoutingInput,
): RoutingInput {
  const admitted = new Set(access.rules);
  const mayUse = (kind: EdgeKind, fields: EdgeFields): boolean => {
    const matching = rules.flatMap((rule, index) => (matches(rule, kind, fields) ? [index] : []));
    return matching.length === 0 || matching.some((index) => admitted.has(index));
  };
  const closed = OPT_IN_METHODS.filter((method) => !access.methods.includes(method));
  const isOffered = ({ method }: Ramp) => !closed.some((each) => each === method);
  return {
    tokens: input.tokens,
    ramps: input.ramps.filter((ramp) => isOffered(ramp) && mayUse('ramp', fieldsOfRamp(ramp))),
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

/** Parses `{name, <kind>: {…}, beta?}`. */
function parseEdgeRule(item: unknown): EdgeRule {
  const fields = record(item, 'a rule');
  const [kind, ...others] = Object.keys(fields).filter((name) => isKind(name));
  if (!isKind(kind) || others.length > 0) throw new Error('expected one of ramp, lane, conversion');
  const unknown = Object.keys(fields).find((name) => ![kind, 'name', 'beta'].includes(name));
  if (unknown !== undefined) throw new Error(`unknown field of a rule: ${unknown}`);
  const { name, beta = false } = fields;
  if (!isEdgeName(name)) throw new Error(`expected a name of a rule like ${EDGE_NAME.source}`);
  if (typeof beta !== 'boolean') throw new Error('expected beta as true or false');
  return { name, kind, where: parseWhere(kind, fields[kind]), isBeta: beta };
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

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`expected ${what} as an object`);
  }
  return value as Record<string, unknown>;
}

const isKind = (name: string | undefined): name is EdgeKind =>
  name !== undefined && Object.hasOwn(EDGE_FIELDS, name);
const isEdgeName = (value: unknown): value is string =>
  typeof value === 'string' && EDGE_NAME.test(value);
