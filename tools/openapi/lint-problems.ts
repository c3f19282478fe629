import { createConfig, lintFromString } from '@redocly/openapi-core';

/** Rules of Redocly's linter, which works offline. What they lack is in `openapi.spec.ts`. */
export const LINT_RULES = [
  'struct',
  'no-unresolved-refs',
  'no-unused-components',
  'operation-operationId',
  'operation-operationId-unique',
  'operation-operationId-url-safe',
  'operation-summary',
  'operation-description',
  'operation-singular-tag',
  'operation-tag-defined',
  'operation-2xx-response',
  'operation-4xx-response',
  'operation-parameters-unique',
  'path-parameters-defined',
  'no-ambiguous-paths',
  'no-path-trailing-slash',
  'tag-description',
  'parameter-description',
  'security-defined',
  'info-license',
  'no-enum-type-mismatch',
  'no-schema-type-mismatch',
  'no-required-schema-properties-undefined',
  'no-invalid-media-type-examples',
  'no-invalid-parameter-examples',
  'no-invalid-schema-examples',
] as const;

/** Lists what a document breaks: the rule, the place and the message. */
export async function lintProblems(document: object): Promise<string[]> {
  const config = await createConfig({
    extends: [],
    rules: Object.fromEntries(
      LINT_RULES.map((rule) => [
        rule,
        {
          severity: 'error',
          ...(rule.endsWith('-examples') && { allowAdditionalProperties: false }),
        },
      ]),
    ),
  });
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  });
  return problems.map(
    ({ ruleId, message, location: [place] }) =>
      `${ruleId} at ${place && 'pointer' in place ? (place.pointer ?? '') : ''}: ${message}`,
  );
}
