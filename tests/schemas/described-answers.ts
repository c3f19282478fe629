import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

const FILE = new URL('../../docs/api/openapi.json', import.meta.url);
const JSON_TYPE = 'application/json';

interface DescribedResponse {
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: object }>;
}

interface DescribedOperation {
  responses: Record<string, DescribedResponse>;
}

interface Description {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, object>; headers: Record<string, { required?: boolean }> };
}

/** HTTP exchange, as far as the description speaks of it. */
export interface Exchange {
  method: string;
  /** Path with its query, or a whole URL. */
  path: string;
  status: number;
  /** Parsed JSON, or text. */
  body: unknown;
  /** Absent where the client cannot see them. */
  headers?: Headers;
}

/** Compares answers with the OpenAPI document, which here leaves no room for other fields. */
export class DescribedAnswers {
  private readonly ajv: Ajv2020;
  private readonly description: Description;
  private readonly patterns: { key: string; pattern: RegExp }[];

  constructor(text = readFileSync(FILE, 'utf8')) {
    this.description = closed(JSON.parse(text) as Description);
    this.ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
    this.ajv.addFormat('date-time', (value: string) => !Number.isNaN(Date.parse(value)));
    this.ajv.addFormat('uri', (value: string) => URL.canParse(value));
    this.ajv.addFormat('ipv4', (value: string) => isIP(value) === 4);
    this.ajv.addFormat('ipv6', (value: string) => isIP(value) === 6);
    this.ajv.addSchema(this.description, 'openapi');
    this.patterns = Object.keys(this.description.paths)
      // A literal path comes before one with a parameter.
      .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
      .map((key) => ({ key, pattern: new RegExp(`^${key.replace(/\{\w+\}/g, '[^/]+')}$`) }));
  }

  /** Lists all ways in which an answer differs from its description; none for a path without one. */
  violations({ method, path, status, body, headers }: Exchange): string[] {
    const { pathname } = new URL(path, 'http://service.invalid');
    const key = this.patterns.find(({ pattern }) => pattern.test(pathname))?.key;
    const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase();
    const item = key === undefined ? undefined : this.description.paths[key];
    if (key === undefined || item === undefined || method === 'OPTIONS') return [];
    const operation = item[verb];
    if (operation === undefined) return otherMethodProblems(status, Object.keys(item), headers);
    const response = operation.responses[status];
    if (response === undefined) return [`OpenAPI: status ${status} is not declared`];
    const problems = headers === undefined ? [] : this.headerProblems(response, headers);
    if (method === 'HEAD' || status === 304) return problems;
    return [...problems, ...this.bodyProblems(response, body, pointer(key, verb, status))];
  }

  private headerProblems({ headers = {} }: DescribedResponse, found: Headers): string[] {
    const undeclared = [...found.keys()].filter((name) => !(name in headers) && !isOfHttp(name));
    const missing = Object.entries(headers)
      .filter(([name, { $ref }]) => {
        const header = this.description.components.headers[$ref.split('/').at(-1) ?? ''];
        return header?.required === true && !found.has(name);
      })
      .map(([name]) => `OpenAPI: header ${name} is missing`);
    return [...missing, ...undeclared.map((name) => `OpenAPI: header ${name} is not declared`)];
  }

  private bodyProblems(response: DescribedResponse, body: unknown, place: string): string[] {
    if (response.content === undefined) {
      return body === '' || body === null ? [] : ['OpenAPI: a body where none is declared'];
    }
    if (response.content[JSON_TYPE] === undefined) return [];
    const validate: ValidateFunction | undefined = this.ajv.getSchema(`openapi#${place}`);
    if (validate === undefined) throw new Error(`Expected a schema at ${place}, found none.`);
    return validate(body) ? [] : (validate.errors ?? []).map(violation);
  }
}

/** Headers of HTTP, caches and browsers, which servers and proxies add to any answer. */
const OF_HTTP =
  /^(date|connection|keep-alive|transfer-encoding|vary|cache-control|referrer-policy|x-content-type-options|content-.*|access-control-.*)$/;

const isOfHttp = (name: string): boolean => OF_HTTP.test(name);

/** A method that no operation of the path has is 405 with those that have one. */
function otherMethodProblems(status: number, methods: string[], headers?: Headers): string[] {
  if (status !== 405) return [`OpenAPI: status ${status} of another method, expected 405`];
  const expected = methods.map((method) => method.toUpperCase()).sort();
  const allowed = headers?.get('allow')?.split(', ').sort() ?? expected;
  return isEqual(allowed, expected)
    ? []
    : [`OpenAPI: allow is ${allowed.join(', ')}, expected ${expected.join(', ')}`];
}

/** Methods that have no operation of their own. */
const IMPLIED = ['HEAD', 'OPTIONS'];

const isEqual = (allowed: string[], expected: string[]): boolean =>
  allowed.filter((method) => !IMPLIED.includes(method)).join() === expected.join();

const violation = ({ instancePath, message = '', params }: ErrorObject): string =>
  `OpenAPI: ${instancePath || '/'}: ${message} ${JSON.stringify(params)}`;

const escaped = (key: string): string =>
  encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

const pointer = (path: string, verb: string, status: number): string =>
  `/paths/${escaped(path)}/${verb}/responses/${status}/content/${escaped(JSON_TYPE)}/schema`;

/** Refuses fields that an object does not declare: a client may ignore them, the service must not send them. */
function closed(description: Description): Description {
  return JSON.parse(JSON.stringify(description), (_, value: unknown) => {
    const isOpenObject =
      typeof value === 'object' &&
      value !== null &&
      'type' in value &&
      value.type === 'object' &&
      'properties' in value &&
      !('additionalProperties' in value);
    return isOpenObject ? { ...value, additionalProperties: false } : value;
  }) as Description;
}
