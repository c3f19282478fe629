import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OWN_ROUTES, ROUTES } from '../../apps/gateway/src/routing/route-table.js';
import { weightOf } from '../../apps/gateway/src/routing/route-weights.js';
import { handlersIn } from '../test/api-routes.js';
import { INPUT_FORMATS } from './constraint-schemas.js';
import { describeEnums } from './enum-meanings.js';
import { commentsIn } from './field-comments.js';
import { orNull } from './json-schema.js';
import type { Components, JsonSchema } from './json-schema.js';
import type { Operation } from './operation.js';
import { OPERATIONS } from './operations.js';
import { GUIDE, SECURITY_SCHEMES, TAGS, VERSION } from './overview.js';
import { RequestSchemas, type DtoClass } from './request-schemas.js';
import {
  HEADERS,
  responsesOf,
  type Access,
  type Answers,
  type DescribedRoute,
} from './responses.js';
import { webhooks } from './webhooks.js';
import { wireSchemas } from './wire-schemas.js';

/** Services whose DTOs the API has. */
const SERVICES = ['catalogue', 'payment', 'quote', 'webhook-dispatch', 'withdrawal'];

const IDEMPOTENCY_KEY = { $ref: '#/components/parameters/IdempotencyKey' };

interface Inputs {
  requests: RequestSchemas;
  dtos: ReadonlyMap<string, DtoClass>;
  permissions: ReadonlyMap<string, string>;
  /** Recorded answers, by method and path. */
  answers: Readonly<Record<string, Answers>>;
}

const keyOf = ({ path }: { path: string }): string => path.replace(/:(\w+)/g, '{$1}');

/**
 * Describes the API of a source tree as an OpenAPI document.
 * @throws Error for a route, DTO or constraint that cannot be described
 */
export async function describeApi(root: string): Promise<object> {
  const names = Object.values<Operation>(OPERATIONS)
    .flatMap(({ success }) => success.map(({ body }) => body))
    .filter((name) => name !== 'html' && name !== 'empty');
  const wire = wireSchemas([
    ...new Set([...names, 'ErrorBody', 'WebhookDeliveryBody', 'QuoteRequest']),
  ]);
  describeEnums(wire);
  const files = globSync(`apps/{${SERVICES.join()}}/src/**/*.dto.ts`, { cwd: root }).sort();
  const inputs: Inputs = {
    requests: new RequestSchemas(
      new Map(
        files.flatMap((file) => [...commentsIn(file, readFileSync(join(root, file), 'utf8'))]),
      ),
      wire,
    ),
    dtos: await importDtos(files.map((file) => join(root, file))),
    permissions: permissionsIn(root),
    answers: JSON.parse(
      readFileSync(join(root, 'tools/openapi/answers.json'), 'utf8'),
    ) as Inputs['answers'],
  };
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, access } of [...ROUTES, ...OWN_ROUTES]) {
    const operation = OPERATIONS[`${method} ${path}` as keyof typeof OPERATIONS];
    const key = keyOf({ path });
    const item = (paths[key] ??= {});
    item[method.toLowerCase()] = operationOf(operation, { method, path, access }, inputs);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bascule payments API',
      version: VERSION,
      summary: 'Payments from fiat or crypto to any address.',
      description: GUIDE,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This deployment.' }],
    tags: TAGS,
    security: [{ apiKey: [] }],
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: PARAMETERS,
      headers: HEADERS,
      schemas: sorted({ ...wire, ...INPUT_FORMATS, ...inputs.requests.components, ...OTHERS }),
    },
  };
}

const OTHERS: Components = {
  ProviderCallback: {
    description: "Event in the provider's own form.",
    type: 'object',
    additionalProperties: true,
  },
};

const PARAMETERS = {
  RequestId: {
    name: 'x-request-id',
    in: 'header',
    description:
      'Id of the request, which the answer and the logs repeat: 1 to 128 letters, digits and `._:-`. Another one is ' +
      'replaced.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repetition safe: the first answer with an effect is stored for 24 hours and given again. 1 to 255 ' +
      'visible ASCII characters; 503 with `Retry-After` while the first request has no answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  IfNoneMatch: {
    name: 'if-none-match',
    in: 'header',
    description: 'Tags of answers that the client has; 304 if one of them is current.',
    schema: { type: 'string' },
  },
};

const sorted = (components: Components): Components =>
  Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));

async function importDtos(files: readonly string[]): Promise<Map<string, DtoClass>> {
  const dtos = new Map<string, DtoClass>();
  for (const file of files) {
    const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module)) {
      if (name.endsWith('Dto') && typeof value === 'function') dtos.set(name, value as DtoClass);
    }
  }
  return dtos;
}

/** Permission of each endpoint, as its controller demands it. */
export const permissionsIn = (root: string): Map<string, string> =>
  new Map(
    globSync(`apps/{${SERVICES.join()}}/src/**/*.controller.ts`, { cwd: root })
      .flatMap((file) => handlersIn(file, readFileSync(join(root, file), 'utf8')))
      .flatMap(({ method, path, permission }) =>
        permission === undefined ? [] : [[`${method} ${path}`, permission] as const],
      ),
  );

function operationOf(operation: Operation, route: DescribedRoute, inputs: Inputs): object {
  const { id, tag, summary, description } = operation;
  const permission = inputs.permissions.get(`${route.method} ${route.path}`);
  const parameters = [
    ...pathParameters(operation, route, inputs),
    ...queryParameters(operation, inputs),
    ...(route.access.endsWith('-link') ? [LINK_TOKEN] : []),
    ...(operation.isIdempotent ? [IDEMPOTENCY_KEY] : []),
    ...(operation.isCacheable ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    { $ref: '#/components/parameters/RequestId' },
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(permission === undefined ? {} : { 'x-permission': permission }),
    'x-rate-limit-weight': weightOf(route),
    ...SECURITY_OF[route.access],
    parameters,
    ...(operation.body === undefined ? {} : { requestBody: bodyOf(operation, inputs) }),
    responses: responsesOf(operation, route, inputs.answers[`${route.method} ${keyOf(route)}`]),
  };
}

const LINK_TOKEN = {
  name: 'token',
  in: 'query',
  required: true,
  description: 'Credential of the link, which opens this one payment.',
  schema: { type: 'string' },
};

const SECURITY_OF: Record<Access, object> = {
  'api-key': {},
  'secret-key': { 'x-secret-key-only': true, security: [{ secretKey: [] }] },
  'funding-link': { security: [] },
  'return-link': { security: [] },
  'provider-callback': { security: [] },
};

function classOf(name: string, { dtos }: Inputs): DtoClass {
  const dto = dtos.get(name);
  if (dto === undefined)
    throw new Error(`Expected a class ${name} in a *.dto.ts file, found none.`);
  return dto;
}

function pathParameters(operation: Operation, { path }: DescribedRoute, inputs: Inputs): object[] {
  const fields = operation.path ? inputs.requests.fieldsOf(classOf(operation.path, inputs)) : [];
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const found = fields.find((field) => field.name === name);
    const { description, ...schema }: JsonSchema = found?.schema ?? {
      type: 'string',
      description: 'Name of the provider.',
    };
    const example = operation.example?.path?.[name];
    return {
      ...{ name, in: 'path', required: true, description, schema },
      ...(example === undefined ? {} : { example }),
    };
  });
}

function queryParameters(operation: Operation, inputs: Inputs): object[] {
  if (operation.query === undefined) return [];
  const example = operation.example?.query ?? {};
  return inputs.requests.fieldsOf(classOf(operation.query, inputs)).map((field) => {
    const { description, ...schema } = field.schema;
    const isArray = schema.type === 'array';
    const name = isArray ? `${field.name}[]` : field.name;
    return {
      name,
      in: 'query',
      ...(field.isRequired ? { required: true } : {}),
      ...(isArray ? { style: 'form', explode: true } : {}),
      description,
      schema,
      ...(name in example ? { example: typed(example[name], schema) } : {}),
    };
  });
}

/** A query has texts only; the document has values of the schema. */
const typed = (value: unknown, { type }: JsonSchema): unknown =>
  type === 'integer' ? Number(value) : value;

function bodyOf(operation: Operation, inputs: Inputs): object {
  const names = [operation.body ?? []].flat();
  const forms = names.map((name) =>
    name in OTHERS
      ? { $ref: `#/components/schemas/${name}` }
      : inputs.requests.add(classOf(name, inputs), operation.bodyForms),
  );
  const form: JsonSchema = forms.length === 1 ? (forms[0] ?? {}) : { anyOf: forms };
  const schema = operation.isBodyOptional ? orNull(form) : form;
  const example = operation.example?.body;
  return {
    ...(operation.isBodyOptional ? {} : { required: true }),
    description: 'JSON, at most 256 KiB unless configured otherwise. Unknown fields are ignored.',
    content: {
      'application/json': { schema, ...(example === undefined ? {} : { example }) },
    },
  };
}
