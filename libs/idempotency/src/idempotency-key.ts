import { callerOfRequest } from '@bascule/identity';
import { invalidRequest } from '@bascule/contracts';
import { IDEMPOTENCY_KEY_HEADER, bodyHashOf } from '@bascule/service-host';
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { idempotentRequest, isIdempotencyKey } from './idempotent-request.js';
import type { IdempotentRequest } from './idempotent-request.js';

/** Injects the {@link IdempotentRequest}, or null without the header `Idempotency-Key`; a malformed one is 400. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext): IdempotentRequest | null =>
    readRequest(context.switchToHttp().getRequest<FastifyRequest>()),
);

function readRequest(request: FastifyRequest): IdempotentRequest | null {
  const header = request.headers[IDEMPOTENCY_KEY_HEADER];
  if (header === undefined) return null;
  const key = String(header);
  if (!isIdempotencyKey(key)) {
    throw invalidRequest({
      code: 'invalid_format',
      path: ['Idempotency-Key'],
      message: 'Expected 1 to 255 visible ASCII characters.',
    });
  }
  const caller = callerOfRequest(request);
  if (caller === undefined) throw new Error('@IdempotencyKey() on a @Public() route');
  const route = `${request.method} ${request.routeOptions.url}`;
  return idempotentRequest({ key, route, bodyHash: bodyHashOf(request), caller });
}
