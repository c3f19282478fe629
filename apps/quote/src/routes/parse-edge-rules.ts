import { FEATURES, type Feature } from '@bascule/contracts';
import { EDGE_FACTS, type EdgeKind, type EdgeRule } from './edge-rules.js';

/** Reads `EDGE_RULES`: a JSON array. @throws with what is wrong with it */
export function parseEdgeRules(text: string): readonly EdgeRule[] {
  const items: unknown = JSON.parse(text);
  if (!Array.isArray(items)) throw new Error('expected a list of rules');
  return items.map((item: unknown) => parseEdgeRule(item));
}

/** Reads one rule: `{<kind>: {…}, feature, organisations?}`. @throws with what is wrong with it */
function parseEdgeRule(item: unknown): EdgeRule {
  const fields = record(item, 'a rule');
  const [kind, ...others] = Object.keys(fields).filter((name) => isKind(name));
  if (!isKind(kind) || others.length > 0) throw new Error('expected one of ramp, lane, conversion');
  const unknown = Object.keys(fields).find(
    (name) => ![kind, 'feature', 'organisations'].includes(name),
  );
  if (unknown !== undefined) throw new Error(`a rule has no ${unknown}`);
  const { feature, organisations } = fields;
  if (!isFeature(feature)) throw new Error(`expected a feature: ${FEATURES.join(', ')}`);
  const rule = { kind, where: parseWhere(kind, fields[kind]), feature };
  if (feature === 'BETA_EDGES') {
    if (organisations !== undefined) throw new Error('BETA_EDGES are for all organisations');
    return rule;
  }
  return { ...rule, organisations: parseOrganisations(feature, organisations) };
}

function parseWhere(kind: EdgeKind, given: unknown): Record<string, string> {
  const names: readonly string[] = EDGE_FACTS[kind];
  return Object.fromEntries(
    Object.entries(record(given, kind)).map(([name, value]) => {
      if (!names.includes(name)) throw new Error(`a ${kind} has no ${name}`);
      if (typeof value !== 'string' || value === '') throw new Error(`expected text as ${name}`);
      return [name, name === 'method' ? value.toUpperCase() : value.toLowerCase()];
    }),
  );
}

function parseOrganisations(feature: Feature, given: unknown): string[] {
  const isList = Array.isArray(given) && given.every((id) => typeof id === 'string');
  if (!isList || given.length === 0) throw new Error(`${feature} need organisations`);
  return given;
}

function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`expected ${what} as an object`);
  }
  return value as Record<string, unknown>;
}

const isKind = (name: string | undefined): name is EdgeKind =>
  name !== undefined && Object.hasOwn(EDGE_FACTS, name);
const isFeature = (value: unknown): value is Feature =>
  FEATURES.some((feature) => feature === value);
