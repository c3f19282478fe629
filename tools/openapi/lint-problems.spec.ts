import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LINT_RULES, lintProblems } from './lint-problems.js';

interface Operation {
  [key: string]: unknown;
  tags: string[];
  parameters: Record<string, unknown>[];
  responses: Record<string, Record<string, unknown>>;
}
interface Schema {
  [key: string]: unknown;
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}
interface Document {
  info: Record<string, unknown>;
  tags: Record<string, unknown>[];
  security: object[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const text = readFileSync(join(import.meta.dirname, '../../docs/api/openapi.json'), 'utf8');
const read = (): Document => JSON.parse(text) as Document;

/** Narrows a part of the document that must be there. */
function the<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Expected a part of the document, found none.');
  return value;
}
const at = (api: Document, path: string): Operation => the(Object.values(the(api.paths[path]))[0]);
const chains = (api: Document): Operation => at(api, '/chains');
const delivery = (api: Document): Operation =>
  the(api.paths['/orgs/webhooks/deliveries/{delivery_id}']?.['get']);
const schema = (api: Document, name: string): Schema => the(api.components.schemas[name]);
const without = (responses: Operation['responses'], digit: string) =>
  Object.fromEntries(Object.entries(responses).filter(([status]) => !status.startsWith(digit)));

/** A change that breaks each rule. */
const BREAKS: Record<(typeof LINT_RULES)[number], (api: Document) => unknown> = {
  struct: (api) => (chains(api)['answers'] = {}),
  'no-unresolved-refs': (api) => delete api.components.schemas['Payment'],
  'no-unused-components': (api) => (api.components.schemas['Unused'] = schema(api, 'Fees')),
  'operation-operationId': (api) => delete at(api, '/geolocation')['operationId'],
  'operation-operationId-unique': (api) => (chains(api)['operationId'] = 'listAssets'),
  'operation-operationId-url-safe': (api) => (at(api, '/prices')['operationId'] = 'list prices'),
  'operation-summary': (api) => delete chains(api)['summary'],
  'operation-description': (api) => delete chains(api)['description'],
  'operation-singular-tag': (api) => at(api, '/prices').tags.push('Payments'),
  'operation-tag-defined': (api) => (chains(api).tags = ['Chains']),
  'operation-2xx-response': (api) => (chains(api).responses = without(chains(api).responses, '2')),
  'operation-4xx-response': (api) => (chains(api).responses = without(chains(api).responses, '4')),
  'operation-parameters-unique': (api) =>
    chains(api).parameters.push(the(chains(api).parameters[0])),
  'path-parameters-defined': (api) => delivery(api).parameters.shift(),
  'no-ambiguous-paths': (api) =>
    (api.paths['/orgs/webhooks/deliveries/{id}'] = { delete: chains(api) }),
  'no-path-trailing-slash': (api) => (api.paths['/all/'] = {}),
  'tag-description': (api) => delete the(api.tags[0])['description'],
  'parameter-description': (api) => delete the(at(api, '/payments').parameters[0])['description'],
  'security-defined': (api) => delete (api as Partial<Document>).security,
  'info-license': (api) => delete api.info['license'],
  'no-enum-type-mismatch': (api) => (schema(api, 'PaymentStatus')['type'] = 'integer'),
  'no-schema-type-mismatch': (api) => (schema(api, 'Fees')['items'] = {}),
  'no-required-schema-properties-undefined': (api) => schema(api, 'Fees').required.push('tips'),
  'no-invalid-media-type-examples': (api) =>
    (the(at(api, '/prices').responses['401'])['content'] = {
      'application/json': { schema: { type: 'string' }, example: 401 },
    }),
  'no-invalid-parameter-examples': (api) => (the(chains(api).parameters[0])['example'] = 'perhaps'),
  'no-invalid-schema-examples': (api) => (schema(api, 'Fees')['examples'] = [1.5]),
};

describe('the linter of the OpenAPI document', () => {
  it('finds nothing', async () => {
    expect(await lintProblems(read())).toEqual([]);
  });

  it('finds a field of an example that the schema lacks', async () => {
    const api = read();
    const { content } = the(at(api, '/payments').responses['200']) as {
      content: { 'application/json': { example: Record<string, unknown> } };
    };
    content['application/json'].example['removed'] = 1;
    expect(await lintProblems(api)).toEqual([
      expect.stringMatching(/no-invalid-media-type-examples.*removed/),
    ]);
  });

  it('finds each rule that is broken', async () => {
    const api = read();
    for (const rule of LINT_RULES) BREAKS[rule](api);
    const broken = (await lintProblems(api)).map((problem) => problem.split(' ')[0]);
    expect([...new Set(broken)].sort()).toEqual([...LINT_RULES].sort());
  });
});
