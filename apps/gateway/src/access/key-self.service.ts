import { Inject, Injectable } from '@nestjs/common';
import { OPT_IN_METHODS, PAYMENT_METHODS } from '@bascule/contracts';
import type { KeySelf, KeySelfLimits, PaymentMethod, Permission } from '@bascule/contracts';
import type { ApiKey } from '../callers/api-key.js';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig, RateLimitConfig } from '../config/gateway.config.js';
import { limitsOfKey } from '../limits/key-limits.js';
import { ApiKeysService } from './api-keys.service.js';

/** Permissions whose endpoints all require a secret key. */
const SECRET_PERMISSIONS: readonly Permission[] = ['webhooks'];

/** Describes to a key what it may do (`GET /orgs/keys/self`). */
@Injectable()
export class KeySelfService {
  private readonly limits: RateLimitConfig;

  constructor(
    private readonly apiKeys: ApiKeysService,
    @Inject(GATEWAY_CONFIG) { rateLimit }: GatewayConfig,
  ) {
    this.limits = rateLimit;
  }

  /** @throws ServiceError `unauthenticated` for a key that was revoked since its admission */
  async describe(authorization: string | undefined): Promise<KeySelf> {
    const key =
      (await this.apiKeys.authenticateKnown(authorization)) ??
      (await this.apiKeys.authenticate(authorization));
    const { orgId, keyId, kind, mode, permissions, methods } = key.caller;
    const optIn: readonly PaymentMethod[] = OPT_IN_METHODS;
    const enabled: readonly PaymentMethod[] = methods;
    return {
      key_id: keyId,
      org_id: orgId,
      label: key.label,
      kind,
      mode,
      test_mode: mode === 'test',
      permissions: permissions.filter(
        (permission) => kind === 'secret' || !SECRET_PERMISSIONS.includes(permission),
      ),
      onramp_methods: PAYMENT_METHODS.filter(
        (method) => !optIn.includes(method) || enabled.includes(method),
      ),
      origins: key.allowedOrigins,
      expires_at: key.expiresAt?.toISOString() ?? null,
      limits: this.describeLimits(key),
    };
  }

  private describeLimits(apiKey: ApiKey): KeySelfLimits {
    const { client, key, publishable, organisation } = limitsOfKey(apiKey, this.limits);
    return {
      window_seconds: this.limits.windowSeconds,
      ...(client !== undefined && { client: client.address }),
      key,
      ...(publishable !== undefined && { publishable_keys: publishable }),
      organisation,
    };
  }
}
