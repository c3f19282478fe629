import { ContractViolation } from './contract-violation.js';
import { DescribedAnswers, type Exchange } from './described-answers.js';
import {
  checkAssets,
  checkAvailable,
  checkChains,
  checkHistory,
  checkPayment,
  checkPrices,
  checkQuotes,
  checkTimeline,
  issueProblems,
  type SemanticCheck,
} from './semantic-checks.js';
import { checkWithdrawalRequest } from './signature-checks.js';
import { Validator } from './validator.js';
import type { Issue } from './wire-types.js';

interface Endpoint {
  schema: string;
  semantics?: SemanticCheck;
  /** Error statuses beyond those of every endpoint. */
  statuses: number[];
}

const ENDPOINTS: Record<string, Endpoint> = {
  'GET /assets': {
    schema: 'discovery.schema.json#/$defs/assets',
    semantics: checkAssets,
    statuses: [],
  },
  'GET /assets/available-outputs': {
    schema: 'discovery.schema.json#/$defs/availableAssets',
    semantics: checkAvailable('inputs'),
    statuses: [],
  },
  'GET /assets/available-inputs': {
    schema: 'discovery.schema.json#/$defs/availableAssets',
    semantics: checkAvailable('outputs'),
    statuses: [],
  },
  'GET /chains': {
    schema: 'discovery.schema.json#/$defs/chains',
    semantics: checkChains,
    statuses: [],
  },
  'POST /prices': {
    schema: 'discovery.schema.json#/$defs/prices',
    semantics: checkPrices,
    statuses: [413],
  },
  'GET /geolocation': { schema: 'discovery.schema.json#/$defs/geolocation', statuses: [] },
  'GET /payments/methods': { schema: 'discovery.schema.json#/$defs/paymentMethods', statuses: [] },
  'POST /payments/quotes': {
    schema: 'quotes.schema.json',
    semantics: checkQuotes,
    statuses: [404, 413],
  },
  'POST /payments/confirm': {
    schema: 'payment.schema.json#/$defs/confirmed',
    semantics: checkPayment,
    statuses: [404, 409, 413, 422],
  },
  'POST /payments/balances': { schema: 'balances.schema.json', statuses: [404, 413] },
  'POST /payments/issues': { schema: 'parked-funds.schema.json', statuses: [413] },
  'GET /orgs/keys/self': { schema: 'keys.schema.json#/$defs/self', statuses: [] },
  'GET /payments': {
    schema: 'payment.schema.json#/$defs/stored',
    semantics: checkPayment,
    statuses: [404],
  },
  'GET /payments/timeline': {
    schema: 'timeline.schema.json',
    semantics: checkTimeline,
    statuses: [404],
  },
  'GET /payments/history': {
    schema: 'payment.schema.json#/$defs/history',
    semantics: checkHistory,
    statuses: [],
  },
  'POST /orgs/webhooks': {
    schema: 'webhooks.schema.json#/$defs/created',
    statuses: [409, 413, 422],
  },
  'GET /orgs/webhooks': { schema: 'webhooks.schema.json#/$defs/list', statuses: [] },
  'PATCH /orgs/webhooks': { schema: 'webhooks.schema.json#/$defs/empty', statuses: [404, 413] },
  'DELETE /orgs/webhooks': { schema: 'webhooks.schema.json#/$defs/empty', statuses: [404, 413] },
  'POST /orgs/webhooks/rotate-secret': {
    schema: 'webhooks.schema.json#/$defs/rotated',
    statuses: [404, 409, 413],
  },
  'POST /orgs/webhooks/test': {
    schema: 'webhooks.schema.json#/$defs/deliveryReference',
    statuses: [404, 409, 413],
  },
  'GET /orgs/webhooks/deliveries': {
    schema: 'webhooks.schema.json#/$defs/deliveries',
    statuses: [404],
  },
  'POST /orgs/webhooks/deliveries/resend-failed': {
    schema: 'webhooks.schema.json#/$defs/resent',
    statuses: [404, 413],
  },
  'GET /orgs/webhooks/deliveries/:id': {
    schema: 'webhooks.schema.json#/$defs/deliveryDetails',
    statuses: [404],
  },
  'POST /orgs/webhooks/deliveries/:id/resend': {
    schema: 'webhooks.schema.json#/$defs/delivery',
    statuses: [404, 409, 413],
  },
  'POST /payments/withdraw': {
    schema: 'withdrawals.schema.json#/$defs/requested',
    semantics: checkWithdrawalRequest,
    statuses: [404, 413, 422],
  },
  'POST /payments/withdraw/confirm': {
    schema: 'withdrawals.schema.json#/$defs/confirmed',
    statuses: [404, 409, 413, 422],
  },
  'GET /payments/withdraw/status': {
    schema: 'withdrawals.schema.json#/$defs/status',
    statuses: [404],
  },
};

const COMMON_STATUSES = [400, 401, 403, 429, 500, 502, 503, 504];
const WITHOUT_BODY = [204, 304];

/**
 * Checks one answer against the contract and against the OpenAPI document; ignores other endpoints.
 * @throws ContractViolation with a list of every violation
 */
export function checkAnswer(answer: Exchange): void {
  const violations = [...violationsOf(answer), ...description().violations(answer)];
  if (violations.length === 0) return;
  const { method, path, status } = answer;
  throw new ContractViolation(
    `${method} ${path} answered ${status} against its contract:\n` +
      violations.map((violation) => `  - ${violation}`).join('\n'),
  );
}

function violationsOf({ method, path, status, body }: Exchange): string[] {
  const url = new URL(path, 'http://service.invalid');
  const sameAs = method === 'HEAD' ? 'GET' : method;
  const endpoint = ENDPOINTS[`${sameAs} ${patternOf(url.pathname)}`];
  if (method === 'OPTIONS') return [];
  if (endpoint && (method === 'HEAD' || WITHOUT_BODY.includes(status))) return emptyProblems(body);
  if (!endpoint) return isScoped(url.pathname) ? wrongMethodProblems(status, body) : [];
  if (status === 200) return bodyProblems(endpoint, body, url);
  if (![...COMMON_STATUSES, ...endpoint.statuses].includes(status)) {
    return [`status ${status} is none of this endpoint`, ...errorProblems(status, body, method)];
  }
  return errorProblems(status, body, `${method} ${url.pathname}`);
}

/** Path with `:id` in place of the id of a delivery. */
const patternOf = (path: string): string =>
  path.replace(/(?<=\/deliveries\/)(?!resend-failed$)[^/]+/, ':id');

const isScoped = (path: string): boolean =>
  Object.keys(ENDPOINTS).some((endpoint) => endpoint.endsWith(` ${patternOf(path)}`));

const emptyProblems = (body: unknown): string[] =>
  body === '' || body === null || body === undefined ? [] : ['a body where none is expected'];

const wrongMethodProblems = (status: number, body: unknown): string[] => [
  ...(status === 405 || COMMON_STATUSES.includes(status)
    ? []
    : [`status ${status} for a method that the path lacks, expected 405`]),
  ...errorProblems(status, body, ''),
];

function bodyProblems({ schema, semantics }: Endpoint, body: unknown, url: URL): string[] {
  const violations = validator().violations(schema, body);
  if (violations.length > 0) return violations;
  return semantics?.(body, url) ?? [];
}

function errorProblems(status: number, body: unknown, endpoint: string): string[] {
  const violations = validator().violations(errorSchema(status, endpoint), body);
  if (violations.length > 0) return violations;
  const { errors } = body as { errors: (Partial<Issue> & object)[] };
  return errors.flatMap((issue) => ('kind' in issue ? issueProblems(issue as Issue) : []));
}

/** Endpoints where a failed signature is a 401 too, about the owner. */
const WITH_SIGNATURES = new Set(['POST /payments/confirm', 'POST /payments/withdraw/confirm']);

/** Selects the schema of an error: validation errors have status 400 only. */
function errorSchema(status: number, endpoint: string): string {
  if (status >= 500) return 'errors.schema.json#/$defs/unknownIssues';
  if (status === 400) return 'errors.schema.json#/$defs/eitherShape';
  const isAboutKey = status === 401 && !WITH_SIGNATURES.has(endpoint);
  return isAboutKey || status === 413 || status === 429
    ? 'errors.schema.json#/$defs/otherIssues'
    : 'errors.schema.json#/$defs/issues';
}

const validator = (() => {
  let compiled: Validator | undefined;
  return (): Validator => (compiled ??= new Validator());
})();

const description = (() => {
  let read: DescribedAnswers | undefined;
  return (): DescribedAnswers => (read ??= new DescribedAnswers());
})();
