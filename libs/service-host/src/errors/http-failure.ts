import { HttpException } from '@nestjs/common';
import { ServiceError } from '@bascule/contracts';
import type { ErrorBody } from '@bascule/contracts';
import { isInfrastructureError } from '@bascule/messaging';
import { STATUS_OF } from './http-status.js';

/** Delay that each 503 suggests. */
export const RETRY_AFTER_SECONDS = '2';

export interface HttpFailure {
  status: number;
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

/** Returns the error body of a status, without internal details. */
export function failureOfStatus(status: number): HttpFailure {
  if (status >= 500) {
    return {
      status,
      body: { errors: [{ kind: 'unknown', message: MESSAGES[status] ?? INTERNAL }] },
    };
  }
  const message = MESSAGES[status] ?? 'The request failed.';
  return { status, body: { errors: [{ kind: 'other', message }] } };
}

function statusOf(error: object): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  // Fastify's errors, and those of its plugins.
  const isFromFastify = 'code' in error && String(error.code).startsWith('FST_');
  return isFromFastify && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
}

/** Returns status and error body for any thrown value. */
export function failureOf(error: unknown): HttpFailure {
  if (error instanceof ServiceError) {
    return { status: STATUS_OF[error.code], body: { errors: [...error.errors] } };
  }
  const status = typeof error === 'object' && error !== null ? statusOf(error) : undefined;
  if (status !== undefined && status >= 400) return failureOfStatus(status);
  return failureOfStatus(isInfrastructureError(error) ? 503 : 500);
}
