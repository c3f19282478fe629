import type { Schema } from 'ts-json-schema-generator';
import { typeSchemas } from '../json-schema/type-schemas.js';

const DESCRIBED = [
  'Envelope',
  'DescribedEvents',
  'EventHeaders',
  'WebhookHeaders',
  'WebhookDeliveryBody',
];
const GENERATED = '#/definitions/';
export const SCHEMAS = '#/components/schemas/';

export interface ObjectSchema extends Schema {
  properties: Record<string, Schema>;
  required: string[];
}

/** Schemas of the described types, by their names, as AsyncAPI wants them. */
export function describedSchemas(): Map<string, Schema> {
  const schemas = typeSchemas('tools/asyncapi/described-types.ts', DESCRIBED);
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, adapted(schema)]));
}

/** @throws Error when the schema is missing or describes no object */
export function objectSchema(schemas: ReadonlyMap<string, Schema>, name: string): ObjectSchema {
  const schema = schemas.get(name);
  if (schema?.properties === undefined) {
    throw new Error(`Expected an interface ${name} in tools/asyncapi/described-types.ts.`);
  }
  return { ...schema, required: schema.required ?? [], properties: objects(schema.properties) };
}

const objects = (properties: Record<string, Schema | boolean>): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      typeof schema === 'boolean' ? {} : schema,
    ]),
  );

const adapted = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema), (_key, value: unknown) =>
    isReference(value) ? referring(value) : value,
  ) as Schema;

const isReference = (value: unknown): value is Schema & { $ref: string } =>
  typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string';

/** Keeps the text of a reference beside `allOf`: readers ignore what stands beside `$ref`. */
function referring({ $ref, ...texts }: Schema & { $ref: string }): Schema {
  const reference = { $ref: $ref.replace(GENERATED, SCHEMAS) };
  return Object.keys(texts).length === 0 ? reference : { ...texts, allOf: [reference] };
}
