import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError, forbidden, notFound } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { RateLimitsService } from '../limits/rate-limits.service.js';
import type { Access, Route } from '../routing/route-table.js';
import { FUNDING_TOKEN_PARAMETER } from '../routing/upstream-path.js';
import type { ApiKey } from '../callers/api-key.js';
import { ApiKeysService } from './api-keys.service.js';
import { FundingTokensService } from './funding-tokens.service.js';
import { isOriginAllowed } from '../callers/is-origin-allowed.js';

/** Provider names in the configuration of the payment service. */
const PROVIDER_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Authenticates and authorises a request before its body is read. */
@Injectable()
export class AdmissionService {
  constructor(
    private readonly apiKeys: ApiKeysService,
    private readonly fundingTokens: FundingTokensService,
    private readonly rateLimits: RateLimitsService,
  ) {}

  /** @throws ServiceError when the request is refused */
  async admit(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    if (route.access !== 'funding-token' && route.access !== 'provider-callback') {
      return this.admitKey(route.access, request, reply);
    }
    await this.rateLimits.takeKeyless(request, reply);
    return route.access === 'funding-token'
      ? this.admitFundingLink(request)
      : admitProvider(request);
  }

  private async admitKey(access: Access, request: FastifyRequest, reply: FastifyReply) {
    const key = await this.authenticated(request, reply);
    await this.rateLimits.take(key, reply);
    requireUsable(key, access, request.headers.origin);
    return key.caller;
  }

  private async authenticated(request: FastifyRequest, reply: FastifyReply): Promise<ApiKey> {
    try {
      return await this.apiKeys.authenticate(request.headers.authorization);
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.code === 'unauthenticated';
      if (isRefused) await this.rateLimits.takeKeyless(request, reply);
      throw error;
    }
  }

  private async admitFundingLink(request: FastifyRequest): Promise<Caller> {
    const { payment_id: id = '' } = request.params as Record<string, string>;
    const query = request.query as Record<string, string | string[]>;
    const token = query[FUNDING_TOKEN_PARAMETER];
    const text = typeof token === 'string' ? token : undefined;
    const { paymentId, organisationId } = await this.fundingTokens.verify(text, id);
    return { orgId: organisationId, keyId: '', kind: 'funding', permissions: [], paymentId };
  }
}

function requireUsable(key: ApiKey, access: Access, origin: string | undefined): void {
  if (access === 'secret-key' && key.caller.kind !== 'secret')
    throw forbidden('A secret key is required.');
  if (!isOriginAllowed(origin, key.allowedOrigins)) {
    throw forbidden('The organisation does not allow requests from this origin.');
  }
}

function admitProvider(request: FastifyRequest): Caller {
  const { name = '' } = request.params as Record<string, string>;
  const provider = name.toLowerCase();
  if (!PROVIDER_NAME.test(provider)) throw notFound('Path not found.');
  return { orgId: '', keyId: '', kind: 'provider', permissions: [], provider };
}
