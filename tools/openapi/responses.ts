import { STATUS_OF } from '../../libs/service-host/src/errors/http-status.js';
import type { Operation, Success } from './operation.js';
import { refTo } from './json-schema.js';
import type { JsonSchema } from './json-schema.js';

export type Access =
  'api-key' | 'secret-key' | 'funding-link' | 'return-link' | 'provider-callback';

export interface DescribedRoute {
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  path: string;
  access: Access;
}

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });

const REQUEST_ID = { 'x-request-id': header('RequestId') };
const LIMITS = { ratelimit: header('RateLimit'), 'ratelimit-policy': header('RateLimitPolicy') };
/** Headers of refusals that come before or after the request was counted. */
const LIMITS_IF_COUNTED = {
  ratelimit: header('RateLimitIfCounted'),
  'ratelimit-policy': header('RateLimitPolicyIfCounted'),
};
const RETRY_AFTER = { 'retry-after': header('RetryAfter') };

/** Components for the headers of answers. */
export const HEADERS = {
  RequestId: {
    description: 'Id of the request: that of the client if it is sane, else a new one.',
    required: true,
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'Rest of the limit: `"<policy>";r=<units left>;t=<seconds until the window ends>`.',
    required: true,
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'Limit: `"<policy>";q=<units>;w=<length of the window in seconds>`.',
    required: true,
    schema: { type: 'string' },
  },
  RateLimitIfCounted: {
    description: 'As `RateLimit`; absent where the request was refused before it was counted.',
    required: false,
    schema: { type: 'string' },
  },
  RateLimitPolicyIfCounted: {
    description:
      'As `RateLimitPolicy`; absent where the request was refused before it was counted.',
    required: false,
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds until a repetition makes sense.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
  ETag: {
    description: 'Tag of the answer, for `If-None-Match`.',
    required: true,
    schema: { type: 'string' },
  },
  CacheControl: {
    description: 'Lifetime of the answer, `max-age` in seconds.',
    required: true,
    schema: { type: 'string' },
  },
  IdempotencyReplayed: {
    description: 'Is `true` where the answer was stored before; absent in a first answer.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
  },
  Paused: {
    description:
      'Chains, venues, bridges and providers that the operator has paused and the answer leaves out, with the reasons: a ' +
      'list of `"<name>";kind=<kind>;reason="<reason>"` (RFC 8941); absent where nothing is paused.',
    required: false,
    schema: { type: 'string' },
  },
  Location: {
    description: 'Page to go to.',
    required: true,
    schema: { type: 'string', format: 'uri' },
  },
  WwwAuthenticate: {
    description: 'Scheme of authentication: `Bearer`.',
    required: true,
    schema: { type: 'string' },
  },
} as const;

/** Reason of each error that any operation can have. */
const COMMON: Record<number, string> = {
  400: 'A part of the request is malformed or cannot be used; all problems are listed.',
  401: 'The key is missing, invalid or expired.',
  403: 'The key lacks the permission, or its organisation does not allow the page.',
  413: 'The body is larger than 256 KiB, unless configured otherwise.',
  414: 'A part of the path is longer than 100 characters.',
  415: 'The body is not JSON.',
  422: 'The `Idempotency-Key` came with another body; only for secret keys.',
  429:
    'A limit is used up, in units of `x-rate-limit-weight`: that of the client address, of the key, of all publishable ' +
    'keys of the organisation, or its ceiling. `GET /orgs/keys/self` tells them.',
  431: 'The path, the query and the headers together are larger than 16 KiB.',
  500: 'Failure of the service.',
  502: 'The connection to a part of the service was lost; the request may have had an effect.',
  503: 'A part of the service is unavailable, or a source that must not be missing. Nothing has happened.',
  504: 'A part of the service did not answer in time; the request may have had an effect.',
};

const WITH_KEY: ReadonlySet<Access> = new Set(['api-key', 'secret-key']);

/** Describes all answers of an operation, by status. */
export function responsesOf(
  operation: Operation,
  { path, access }: DescribedRoute,
  answers?: Answers,
): Record<string, object> {
  const hasKey = WITH_KEY.has(access);
  const hasBody = operation.body !== undefined;
  const common = [
    400,
    401,
    ...(hasKey ? [403] : []),
    ...(operation.isIdempotent ? [STATUS_OF.unprocessable] : []),
    ...(hasBody ? [STATUS_OF.payload_too_large, STATUS_OF.unsupported_media_type] : []),
    ...(path.includes(':') ? [414] : []),
    STATUS_OF.rate_limited,
    431,
    ...[500, 502, STATUS_OF.unavailable, 504],
  ];
  const reasons: Record<string, string> = {
    ...COMMON,
    ...(operation.quota !== undefined && { 429: `${COMMON[429]} Or a quota: ${operation.quota}` }),
    ...operation.errors,
  };
  const statuses = new Set([...common, ...Object.keys(operation.errors ?? {}).map(Number)]);
  const errors = [...statuses]
    .sort((a, b) => a - b)
    .map((status) => [
      String(status),
      withExample(errorOf(status, reasons[status] ?? '', hasKey), status, answers?.error),
    ]);
  const successes = operation.success.map((success) => [
    String(success.status),
    withExample(successOf(success, operation, hasKey), success.status, {
      status: 200,
      body: answers?.success,
    }),
  ]);
  const notModified = operation.isCacheable
    ? [['304', { description: 'The client has this answer.', headers: cacheHeaders(hasKey) }]]
    : [];
  return Object.fromEntries([...successes, ...notModified, ...errors]) as Record<string, object>;
}

interface Answer {
  status: number;
  body: unknown;
}

/** Recorded answers of an operation; without a success where that has no JSON. */
export interface Answers {
  success?: unknown;
  error: Answer;
}

interface Response {
  description: string;
  headers: object;
  content?: Record<string, object>;
}

/** Adds a recorded answer to the response of its status, if that has JSON. */
function withExample(response: Response, status: number, answer?: Answer): Response {
  const json = response.content?.['application/json'];
  if (json === undefined || answer?.body === undefined || answer.status !== status) return response;
  return { ...response, content: { 'application/json': { ...json, example: answer.body } } };
}

const cacheHeaders = (hasKey: boolean) => ({
  ...REQUEST_ID,
  ...(hasKey ? LIMITS : {}),
  etag: header('ETag'),
  'cache-control': header('CacheControl'),
});

function successOf({ status, description, body }: Success, operation: Operation, hasKey: boolean) {
  const headers = {
    ...(operation.isCacheable ? cacheHeaders(hasKey) : REQUEST_ID),
    ...(hasKey ? LIMITS : {}),
    ...(operation.isIdempotent ? { 'idempotency-replayed': header('IdempotencyReplayed') } : {}),
    ...(operation.leavesOutPaused ? { 'x-paused': header('Paused') } : {}),
    ...(status === 303 ? { location: header('Location') } : {}),
  };
  if (body === 'empty') return { description, headers };
  const content: Record<string, { schema: JsonSchema }> =
    body === 'html'
      ? { 'text/html': { schema: { type: 'string', description: 'Page.' } } }
      : { 'application/json': { schema: refTo(body) } };
  return { description, headers, content };
}

function errorOf(status: number, description: string, hasKey: boolean) {
  const isRefused = status === 429;
  const headers = {
    // Answered before there is a request.
    ...(status === 431 ? {} : REQUEST_ID),
    ...limitsOf(status, hasKey),
    ...(isRefused || status === 503 ? RETRY_AFTER : {}),
    ...(status === 401 ? { 'www-authenticate': header('WwwAuthenticate') } : {}),
  };
  return { description, headers, content: { 'application/json': { schema: refTo('ErrorBody') } } };
}

/** Statuses of refusals that always come after the request was counted. */
const AFTER_COUNTING = [400, 404, 409, 422];

function limitsOf(status: number, hasKey: boolean): object {
  if (status === 429 || (hasKey && AFTER_COUNTING.includes(status))) return LIMITS;
  return hasKey && status !== 431 ? LIMITS_IF_COUNTED : {};
}
