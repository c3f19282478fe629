import {
  alternatives,
  listedValues,
  typeOf,
  type JsonSchema,
  type NamedSchemas,
} from './schema-shapes.js';

interface Comparison {
  /** Path of the schemas, for the reader of a problem. */
  place: string;
  /** Targets of references. */
  schemas: { before: NamedSchemas; now: NamedSchemas };
}

/** Keywords that say the same to readers in more detail: they may be added, but neither changed nor removed. */
const CONSTRAINTS = [
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];

/** Lists how values of the new schema could surprise a reader who knows the earlier one. */
export function schemaProblems(
  before: JsonSchema,
  now: JsonSchema,
  { place, schemas }: Comparison,
): string[] {
  const old = alternatives(before, schemas.before);
  const fresh = alternatives(now, schemas.now);
  const types = [typesOf(old), typesOf(fresh)] as const;
  if (types[0] !== types[1]) return [`${place}: the type ${types[0]} became ${types[1]}`];
  const best = old.map((schema) => bestMatch(schema, fresh, { place, schemas }));
  const added = fresh.filter((schema) => !best.some(({ match }) => match === schema));
  const unknown = added.filter((schema) => !isRecognisable(schema, old));
  return [
    ...best.flatMap(({ problems }) => problems),
    ...unknown.map(() => `${place}: an alternative was added that no field tells apart`),
  ];
}

const typesOf = (schemas: readonly JsonSchema[]): string =>
  [...new Set(schemas.map(typeOf))].sort().join(' or ');

/** The alternative that a reader would take for the earlier one, with its problems. */
function bestMatch(before: JsonSchema, candidates: readonly JsonSchema[], comparison: Comparison) {
  const compared = candidates
    .filter((candidate) => typeOf(candidate) === typeOf(before))
    .map((match) => ({ match, problems: alternativeProblems(before, match, comparison) }))
    .sort((one, other) => one.problems.length - other.problems.length);
  return compared[0] ?? { match: undefined, problems: [`${comparison.place}: was removed`] };
}

/** True for an object whose constant in some field differs from that of every earlier alternative. */
function isRecognisable(added: JsonSchema, old: readonly JsonSchema[]): boolean {
  return Object.entries(added.properties ?? {}).some(([field, schema]) => {
    const values = listedValues(schema);
    if (values === undefined || !added.required?.includes(field)) return false;
    return old.every((each) => {
      const known = listedValues(each.properties?.[field] ?? {});
      return known?.every((value) => !values.includes(value)) ?? false;
    });
  });
}

const alternativeProblems = (
  before: JsonSchema,
  now: JsonSchema,
  comparison: Comparison,
): string[] => [
  ...valueProblems(before, now, comparison.place),
  ...constraintProblems(before, now, comparison.place),
  ...fieldProblems(before, now, comparison),
  ...innerProblems(before.items, now.items, `${comparison.place}[]`, comparison),
  ...innerProblems(
    asSchema(before.additionalProperties),
    asSchema(now.additionalProperties),
    `${comparison.place}.*`,
    comparison,
  ),
];

function valueProblems(before: JsonSchema, now: JsonSchema, place: string): string[] {
  const old = listedValues(before);
  const fresh = listedValues(now);
  if (old === undefined) {
    return fresh === undefined ? [] : [`${place}: any value was possible, now only some are`];
  }
  if (fresh === undefined) return [`${place}: only some values were possible, now any is`];
  return old
    .filter((value) => !fresh.includes(value))
    .map((value) => `${place}: the value ${JSON.stringify(value)} was removed`);
}

const constraintProblems = (before: JsonSchema, now: JsonSchema, place: string): string[] =>
  CONSTRAINTS.filter(
    (keyword) => before[keyword] !== undefined && before[keyword] !== now[keyword],
  ).map((keyword) => `${place}: ${keyword} ${String(before[keyword])} was changed or removed`);

function fieldProblems(before: JsonSchema, now: JsonSchema, comparison: Comparison): string[] {
  return Object.entries(before.properties ?? {}).flatMap(([field, schema]) => {
    const place = `${comparison.place}.${field}`;
    const fresh = now.properties?.[field];
    if (fresh === undefined) return [`${place}: the field was removed`];
    const isLost = before.required?.includes(field) && !now.required?.includes(field);
    return [
      ...(isLost ? [`${place}: the field became optional`] : []),
      ...schemaProblems(schema, fresh, { ...comparison, place }),
    ];
  });
}

function innerProblems(
  before: JsonSchema | undefined,
  now: JsonSchema | undefined,
  place: string,
  comparison: Comparison,
): string[] {
  if (before === undefined) return [];
  if (now === undefined) return [`${place}: the type of the elements was removed`];
  return schemaProblems(before, now, { ...comparison, place });
}

const asSchema = (schema: JsonSchema | boolean | undefined): JsonSchema | undefined =>
  typeof schema === 'object' ? schema : undefined;
