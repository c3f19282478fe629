import type { Issue } from './issues.js';

/** Kind of a problem. */
export type ValidationErrorCode =
  | 'invalid_type'
  | 'invalid_format'
  | 'invalid_union'
  | 'invalid_value'
  | 'too_small'
  | 'too_big'
  | 'custom';

/** Problem of a request; all problems of a request are reported together. */
export interface ValidationError {
  /** Kind of the problem. */
  code: ValidationErrorCode;
  /** Expected type; only on type mismatches. */
  expected?: string;
  /** Path of the field: names, and indices from 0; empty for the whole request. */
  path: (string | number)[];
  /** Problem in words. */
  message: string;
}

/** Body of every error: issues, or validation errors, never both. */
export interface ErrorBody {
  /** All problems, at most 100. */
  errors: (Issue | ValidationError)[];
}

/** Reason of a failure, independent of HTTP; `libs/service-host` holds the one table from code to status. */
export type ServiceErrorCode =
  | 'invalid_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'unprocessable'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'unavailable';

interface ServiceErrorOptions extends ErrorOptions {
  /** Delay until a retry can succeed, for `Retry-After`. */
  retryAfterSeconds?: number;
}

/** A failure that is reported to the caller. Its issues become the error body, so nothing internal belongs in them. */
export class ServiceError extends Error {
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ServiceErrorCode,
    readonly errors: readonly (Issue | ValidationError)[],
    options?: ServiceErrorOptions,
  ) {
    super(
      errors.map((error) => ('message' in error ? error.message : error.kind)).join('; '),
      options,
    );
    this.name = 'ServiceError';
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}

const other = (message: string): Issue[] => [{ kind: 'other', message }];

const isValidationError = (error: Issue | ValidationError): error is ValidationError =>
  'code' in error;

/** Maximum number of errors in one answer. */
export const MAX_REPORTED_ERRORS = 100;

/** Keeps the issues out as long as there are validation errors: an answer has one shape. */
export function invalidRequest(...errors: (Issue | ValidationError)[]): ServiceError {
  const ofShape = errors.filter(isValidationError);
  const reported = ofShape.length > 0 ? ofShape : errors;
  return new ServiceError('invalid_request', reported.slice(0, MAX_REPORTED_ERRORS));
}
export const invalidField = (path: (string | number)[], message: string): ServiceError =>
  invalidRequest({ code: 'custom', path, message });
/** Refuses a `price_currency` that has no current price, alike in every endpoint that takes one. */
export const unpricedCurrency = (currency: string): ServiceError =>
  invalidField(['price_currency'], `No current price of ${currency}.`);
export const unauthenticated = (message: string): ServiceError =>
  new ServiceError('unauthenticated', other(message));
export const forbidden = (message: string): ServiceError =>
  new ServiceError('forbidden', other(message));
export const notFound = (message: string): ServiceError =>
  new ServiceError('not_found', other(message));
export const conflict = (message: string): ServiceError =>
  new ServiceError('conflict', other(message));
export const quotaExceeded = (message: string, retryAfterSeconds: number): ServiceError =>
  new ServiceError('rate_limited', other(message), { retryAfterSeconds });
export const unavailable = (message: string): ServiceError =>
  new ServiceError('unavailable', [{ kind: 'unknown', message }]);
