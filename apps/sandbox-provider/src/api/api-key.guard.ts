import { BearerKeyGuard } from '@bascule/party-api';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ProviderRegistryService } from '../providers/provider-registry.service.js';

/** Requires the API key of the provider in the path. */
@Injectable()
export class ApiKeyGuard extends BearerKeyGuard {
  constructor(private readonly providers: ProviderRegistryService) {
    super();
  }

  protected override expectedKey(
    request: FastifyRequest<{ Params: { provider: string } }>,
  ): string {
    return this.providers.get(request.params.provider).apiKey;
  }
}
