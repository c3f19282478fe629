import { SCHEMAS } from './schemas.js';

/** A part of JSON Schema, as far as generated schemas use it. */
export interface JsonSchema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
}

export type NamedSchemas = Readonly<Record<string, JsonSchema>>;

/** Follows references, also those with a text beside them. */
function resolved(schema: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const [only, ...others] = schema.allOf ?? [];
  if (only !== undefined && others.length === 0) return resolved(only, schemas);
  if (schema.$ref === undefined) return schema;
  const name = decodeURIComponent(schema.$ref.slice(SCHEMAS.length));
  const target = schemas[name];
  if (target === undefined) throw new Error(`Expected a schema ${name}, found none.`);
  return resolved(target, schemas);
}

/** The alternatives of a schema, each of one JSON type. */
export function alternatives(schema: JsonSchema, schemas: NamedSchemas): JsonSchema[] {
  const whole = resolved(schema, schemas);
  if (whole.anyOf !== undefined) return whole.anyOf.flatMap((each) => alternatives(each, schemas));
  if (!Array.isArray(whole.type)) return [whole];
  const { enum: values, ...rest } = whole;
  return whole.type.map((type) => ({
    ...rest,
    type,
    ...(values !== undefined && { enum: values.filter((value) => jsonType(value) === type) }),
  }));
}

/** The values that a schema lists, or undefined when it lists none. */
export const listedValues = (schema: JsonSchema): unknown[] | undefined =>
  'const' in schema ? [schema.const] : schema.enum;

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The JSON type of an alternative; integers are numbers. */
export function typeOf(schema: JsonSchema): string {
  const { type } = schema;
  if (type === 'integer') return 'number';
  if (typeof type === 'string') return type;
  const [value] = listedValues(schema) ?? [];
  return value === undefined ? 'any' : jsonType(value);
}
