import { join } from 'node:path';
import { createGenerator, type Schema } from 'ts-json-schema-generator';

const ROOT = join(import.meta.dirname, '../..');

/**
 * JSON Schemas (draft-07) of exported types and of all that they refer to, by the name of the type.
 * Doc comments become descriptions; `@example`, `@format`, `@pattern` and `@asType` become keywords.
 *
 * @param file TypeScript file in the repository that exports the types
 */
export function typeSchemas(file: string, types: readonly string[]): Record<string, Schema> {
  const generator = createGenerator({
    path: join(ROOT, file),
    tsconfig: join(ROOT, 'tsconfig.base.json'),
    expose: 'export',
    topRef: true,
    jsDoc: 'extended',
    // A step of the tests compiles everything.
    skipTypeCheck: true,
    // Readers ignore fields that they do not know.
    additionalProperties: true,
  });
  const found = types.flatMap((type) =>
    Object.entries(generator.createSchema(type).definitions ?? {}),
  );
  return Object.fromEntries(
    found.map(([name, schema]) => {
      if (typeof schema === 'boolean') throw new Error(`Expected a schema of ${name}, found none.`);
      return [name, schema];
    }),
  );
}
