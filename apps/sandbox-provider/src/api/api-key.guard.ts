import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ProviderRegistryService } from '../providers/provider-registry.service.js';
import { ApiError } from '../wire/api-error.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** `Authorization: Bearer <API key of the provider in the path>`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly providers: ProviderRegistryService) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<FastifyRequest<{ Params: { provider: string } }>>();
    const { apiKey } = this.providers.get(request.params.provider);
    const given = request.headers.authorization ?? '';
    if (!timingSafeEqual(digest(given), digest(`Bearer ${apiKey}`))) {
      throw new ApiError('unauthorized', 'The API key is missing or wrong.');
    }
    return true;
  }
}
