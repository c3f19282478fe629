import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeApi, permissionsIn } from './description.js';
import { endpointRows } from './endpoint-table.js';

const root = join(import.meta.dirname, '../..');
const COMMAND = 'run `npm run openapi` and commit docs/api/openapi.json';

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  'x-rate-limit-weight': number;
  parameters: { name?: string; description?: string; $ref?: string }[];
  responses: Record<
    string,
    { description: string; content?: Record<string, { example?: unknown }> }
  >;
}

interface Document {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    headers: Record<string, { description: string }>;
  };
}

const document = JSON.parse(readFileSync(join(root, 'docs/api/openapi.json'), 'utf8')) as Document;
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

/** Paths of the fields without a description, below a schema. */
function undescribed(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema as Record<string, unknown>).flatMap(([key, value]) => {
    const own =
      key === 'properties'
        ? Object.entries(value as Record<string, object>)
            .filter(([, field]) => !('description' in field))
            .map(([name]) => `${path}.${name}`)
        : [];
    return [...own, ...undescribed(value, `${path}.${key}`)];
  });
}

const referencesIn = (text: string): string[] =>
  [...text.matchAll(/"\$ref":\s*"#\/([^"]+)"/g)].map(([, path = '']) => path);

describe('docs/api/openapi.json', () => {
  it('is what the code says', async () => {
    const generated: unknown = JSON.parse(JSON.stringify(await describeApi(root)));
    expect({ [COMMAND]: document }).toEqual({ [COMMAND]: generated });
  });

  it('describes every operation, answer, parameter and field', () => {
    const wordless = operations.filter(
      ({ operationId, summary, description }) => !operationId || !summary || !description,
    );
    expect(wordless).toEqual([]);
    const parameters = operations.flatMap((operation) => operation.parameters);
    expect(parameters.filter((each) => !each.$ref && !each.description)).toEqual([]);
    const answers = operations.flatMap(({ responses }) => Object.values(responses));
    expect(answers.filter(({ description }) => !description)).toEqual([]);
    const { schemas } = document.components;
    expect(Object.entries(schemas).flatMap(([name, each]) => undescribed(each, name))).toEqual([]);
    expect(
      Object.keys(schemas).filter((name) => !('description' in (schemas[name] ?? {}))),
    ).toEqual([]);
  });

  it('has examples of the success and of an error of every operation', () => {
    const hasExample = (responses: Operation['responses'], first: string) =>
      Object.entries(responses)
        .filter(([status]) => status.startsWith(first))
        .some(([, { content }]) => content?.['application/json']?.example !== undefined);
    const hasJson = ({ responses }: Operation) =>
      responses['200']?.content?.['application/json'] !== undefined;
    const without = (first: string, some: Operation[]) =>
      some.filter(({ responses }) => !hasExample(responses, first)).map((each) => each.operationId);
    expect(without('4', operations)).toEqual([]);
    expect(without('2', operations.filter(hasJson))).toEqual([]);
  });

  it('declares version 2.0.0', () => {
    expect(document.info.version).toBe('2.0.0');
  });

  it('tells the weight of each operation, and the quotas that refuse it', () => {
    const weights = Object.fromEntries(
      operations.map((each) => [each.operationId, each['x-rate-limit-weight']]),
    );
    expect(weights).toMatchObject({ createQuotes: 5, listParkedFunds: 10, listChains: 1 });
    expect(Object.values(weights).every((weight) => Number.isInteger(weight))).toBe(true);
    const withQuota = operations.filter(({ responses }) =>
      responses['429']?.description.includes('a quota'),
    );
    expect(withQuota.map(({ operationId }) => operationId).sort()).toEqual([
      'confirmPayment',
      'createQuotes',
      'requestWithdrawal',
    ]);
  });

  it('says that limits and their rest are counted in units, not in requests', () => {
    const { RateLimit, RateLimitPolicy } = document.components.headers;
    expect(RateLimit?.description).toContain('r=<units left>');
    expect(RateLimitPolicy?.description).toContain('q=<units>');
  });

  it('names every operation once', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.length).toBeGreaterThan(25);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('refers to nothing that it lacks, and defines nothing without a use', () => {
    const text = JSON.stringify(document);
    const references = new Set(referencesIn(text));
    const found = (path: string): unknown =>
      path
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
    expect([...references].filter((path) => found(path) === undefined)).toEqual([]);
    const defined = Object.keys(document.components.schemas).map(
      (name) => `components/schemas/${name}`,
    );
    expect(defined.filter((path) => !references.has(path))).toEqual([]);
  });

  it('has a place for every DTO of the API', () => {
    const text = globSync('tools/openapi/operations-*.ts', { cwd: root })
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    const classes = globSync(
      'apps/{catalogue,payment,quote,webhook-dispatch,withdrawal}/src/**/*.dto.ts',
      {
        cwd: root,
      },
    ).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^(?:export )?class (\w+)/gm)].map(
        ([, name = '']) => name,
      ),
    );
    const bases = ['PaymentViewQueryDto', 'QuoteOptionsDto'];
    const known = (name: string) =>
      text.includes(`'${name}'`) ||
      `${name.replace(/Dto$/, '')}Input` in document.components.schemas ||
      bases.includes(name);
    expect(classes.length).toBeGreaterThan(25);
    expect(classes.filter((name) => !known(name))).toEqual([]);
  });
});

describe('the table of endpoints in the README', () => {
  it('has a row for every endpoint', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [, section = ''] = readme.split('## Endpoints\n');
    const rows = (section.split('\n## ')[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    expect(rows).toEqual(endpointRows(permissionsIn(root)));
  });
});
