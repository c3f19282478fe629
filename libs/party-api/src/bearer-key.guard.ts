import { createHash, timingSafeEqual } from 'node:crypto';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PartyApiError } from './party-api-error.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Requires `Authorization: Bearer <API key>`. */
export abstract class BearerKeyGuard implements CanActivate {
  /** Returns the key that the request must carry. */
  protected abstract expectedKey(request: FastifyRequest): string;

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const given = request.headers.authorization ?? '';
    if (!timingSafeEqual(digest(given), digest(`Bearer ${this.expectedKey(request)}`))) {
      throw new PartyApiError('unauthorized', 401, 'The API key is missing or wrong.');
    }
    return true;
  }
}
