import { readFileSync } from 'node:fs';
import type { QuotesResponse } from '@bascule/contracts';
import type { Api } from '../../../tools/first-payment/api.js';

interface Described {
  parameters: { name?: string; in?: string; example?: string | number | string[] }[];
  requestBody?: { content: { 'application/json': { example?: unknown } } };
}

interface Example {
  method: string;
  path: string;
  parameters: { name: string; values: string[] }[];
  body: unknown;
}

const FILE = new URL('../../../docs/api/openapi.json', import.meta.url);

/** Reads every example of the OpenAPI document; what deletes comes last. */
function describedExamples(): Example[] {
  const { paths } = JSON.parse(readFileSync(FILE, 'utf8')) as {
    paths: Record<string, Record<string, Described>>;
  };
  const examples = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, { parameters, requestBody }]) => ({
      method: verb.toUpperCase(),
      path,
      parameters: parameters.flatMap(({ name = '', example }) =>
        example === undefined ? [] : [{ name, values: [example].flat().map(String) }],
      ),
      body: requestBody?.content['application/json'].example,
    })),
  );
  return examples
    .filter(({ parameters, body }) => parameters.length > 0 || body !== undefined)
    .sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
}

/**
 * Sends the examples in their order and returns their statuses; the client checks the answers.
 * @param replaced values of the document by those of this stack
 */
export async function replayExamples(api: Api, replaced: ReadonlyMap<string, string>) {
  const known = new Map(replaced);
  const ofStack = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
      typeof inner === 'string' ? (known.get(inner) ?? inner) : inner,
    ) as T;
  const statuses: Record<string, number> = {};
  for (const { method, path, parameters, body } of describedExamples()) {
    const query = new URLSearchParams(
      ofStack(parameters).flatMap(({ name, values }) =>
        values.map((value): [string, string] => [name, value]),
      ),
    );
    const options = body === undefined ? {} : { body: ofStack(body) };
    const answer = await api.request(method, `${path}?${query.toString()}`, options);
    statuses[`${method} ${path}`] = answer.status;
    if (path === '/payments/quotes') remember(answer.body as QuotesResponse, known);
  }
  return statuses;
}

/** Keeps the quote for the examples after it, whose id and token are made up. */
function remember({ quotes: [quote], state_token }: QuotesResponse, known: Map<string, string>) {
  known.set('0199f0a2-0000-7000-8000-000000000001', quote?.payment_id ?? '');
  known.set('eyJhbGciOiJkaXIi', state_token);
}
