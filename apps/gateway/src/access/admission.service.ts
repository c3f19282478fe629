import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { forbidden, notFound } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';
import { QuoteQuotaService } from '../limits/quote-quota.service.js';
import { RateLimitsService } from '../limits/rate-limits.service.js';
import { isLink } from '../routing/route-table.js';
import type { AdmittedRoute, LinkAccess } from '../routing/route-table.js';
import { sizeWeightOf } from '../routing/request-size.js';
import { weightOf } from '../routing/route-weights.js';
import { LINK_TOKEN_PARAMETER } from '../routing/upstream-path.js';
import type { ApiKey } from '../callers/api-key.js';
import { ApiKeysService } from './api-keys.service.js';
import { LinkTokensService } from './link-tokens.service.js';
import type { LinkKind } from './link-tokens.service.js';
import { isOriginAllowed } from '../callers/is-origin-allowed.js';

/** Provider names in the configuration of the payment service. */
const PROVIDER_NAME = /^[a-z][a-z0-9-]{0,31}$/;

const LINK_KINDS: Record<LinkAccess, LinkKind> = {
  'funding-link': 'funding',
  'return-link': 'return',
};

/** Authenticates and authorises a request before its body is read. */
@Injectable()
export class AdmissionService {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly apiKeys: ApiKeysService,
    private readonly linkTokens: LinkTokensService,
    private readonly rateLimits: RateLimitsService,
    private readonly quoteQuota: QuoteQuotaService,
  ) {}

  /** @throws ServiceError when the request is refused */
  async admit(route: AdmittedRoute, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const { access } = route;
    if (!isLink(access) && access !== 'provider-callback') {
      return this.admitKey(route, request, reply);
    }
    await this.rateLimits.takeKeyless(1 + this.sizeWeight(request), request, reply);
    return isLink(access) ? this.admitLink(LINK_KINDS[access], request) : admitProvider(request);
  }

  private async admitKey(route: AdmittedRoute, request: FastifyRequest, reply: FastifyReply) {
    const key = await this.authenticated(request, reply);
    await this.rateLimits.take(key, weightOf(route) + this.sizeWeight(request), request, reply);
    requireUsable(key, route.access, request.headers.origin);
    await this.quoteQuota.take(route, key, request, reply);
    return key.caller;
  }

  /** Charges the client before an unknown key reaches the database. */
  private async authenticated(request: FastifyRequest, reply: FastifyReply): Promise<ApiKey> {
    const { authorization } = request.headers;
    const known = await this.apiKeys.authenticateKnown(authorization);
    if (known !== undefined) return known;
    await this.rateLimits.takeKeyless(1, request, reply);
    return this.apiKeys.authenticate(authorization);
  }

  private sizeWeight({ raw, headers }: FastifyRequest): number {
    return sizeWeightOf(raw.url ?? '', headers, this.config.BODY_LIMIT_BYTES);
  }

  private async admitLink(kind: LinkKind, request: FastifyRequest): Promise<Caller> {
    const { payment_id: id = '' } = request.params as Record<string, string>;
    const query = request.query as Record<string, string | string[]>;
    const token = query[LINK_TOKEN_PARAMETER];
    const text = typeof token === 'string' ? token : undefined;
    const { paymentId, organisationId } = await this.linkTokens.verify(text, kind, id);
    return { orgId: organisationId, keyId: '', kind, permissions: [], paymentId };
  }
}

function requireUsable(
  key: ApiKey,
  access: AdmittedRoute['access'],
  origin: string | undefined,
): void {
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
