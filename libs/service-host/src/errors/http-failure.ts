import { HttpException } from '@nestjs/common';
import { ServiceError } from '@bascule/contracts';
import type { ErrorBody } from '@bascule/contracts';
import { isInfrastructureError } from '@bascule/messaging';
import { STATUS_OF } from './http-status.js';

/** Delay that each 503 suggests. */
const RETRY_AFTER_SECONDS = 2;

export interface HttpFailure {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

const MESSAGES: Record<number, string> = {
  400: 'The request is malformed.',
  401: 'Authentication failed.',
  403: 'Not allowed.',
  404: 'Path not found.',
  405: 'The path does not have this method; the header Allow lists those it has.',
  408: 'The request took too long to arrive.',
  413: 'The request body is too large.',
  414: 'The request URL is too long.',
  415: 'The request body must be JSON, with content-type: application/json.',
  431: 'The request headers are too large.',
  502: 'The connection to the service was lost; the request may have had an effect.',
  503: 'The service is temporarily unavailable. Try again.',
  504: 'The service did not answer in time.',
};
const INTERNAL = 'An internal error occurred. Try again later.';

/** Returns the answer of a status, without internal details. */
export function failureOfStatus(status: number): HttpFailure {
  const headers = headersOf(status);
  if (status >= 500) {
    const message = MESSAGES[status] ?? INTERNAL;
    return { status, headers, body: { errors: [{ kind: 'unknown', message }] } };
  }
  const message = MESSAGES[status] ?? 'The request failed.';
  return { status, headers, body: { errors: [{ kind: 'other', message }] } };
}

/** Headers that the status needs: the scheme of authentication, or when to try again. */
function headersOf(status: number, retryAfterSeconds?: number): Record<string, string> {
  const seconds = retryAfterSeconds ?? (status === 503 ? RETRY_AFTER_SECONDS : undefined);
  return {
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
  };
}

function statusOf(error: object): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  // Fastify's errors, and those of its plugins.
  const isFromFastify = 'code' in error && String(error.code).startsWith('FST_');
  return isFromFastify && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
}

/** Returns the answer to any thrown value. */
export function failureOf(error: unknown): HttpFailure {
  if (error instanceof ServiceError) {
    const status = STATUS_OF[error.code];
    const headers = headersOf(status, error.retryAfterSeconds);
    return { status, headers, body: { errors: [...error.errors] } };
  }
  const status = typeof error === 'object' && error !== null ? statusOf(error) : undefined;
  if (status !== undefined && status >= 400) return failureOfStatus(status);
  return failureOfStatus(isInfrastructureError(error) ? 503 : 500);
}
