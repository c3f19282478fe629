import { typeSchemas } from '../json-schema/type-schemas.js';
import type { Components, JsonSchema } from './json-schema.js';

/** Converts the wire types with these names, and those within them, to components. */
export const wireSchemas = (names: readonly string[]): Components =>
  Object.fromEntries(
    Object.entries(typeSchemas('libs/contracts/src/index.ts', names)).map(([name, schema]) => [
      componentName(name),
      converted(schema),
    ]),
  );

/** Generic types have names that a component cannot have. */
const componentName = (name: string): string => name.replace(/[^A-Za-z0-9]+/g, '');

/** Draft 7 as draft 2020-12, with references to components. */
const converted = (schema: object): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    const name = decodeURIComponent(value.replace('#/definitions/', ''));
    return `#/components/schemas/${componentName(name)}`;
  }) as JsonSchema;
