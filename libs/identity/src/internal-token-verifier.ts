import { unauthenticated } from '@bascule/contracts';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type { JWTVerifyGetKey } from 'jose';
import { BoundedCache } from './bounded-cache.js';
import type { Caller } from './caller.js';
import {
  INTERNAL_TOKEN_AUDIENCE,
  INTERNAL_TOKEN_ISSUER,
  INTERNAL_TOKEN_SKEW_SECONDS,
  SIGNATURE_ALGORITHM,
  callerOf,
} from './internal-token.js';
import type { PublicKeys } from './public-keys.js';

const CAPACITY = 10_000;

interface Verified {
  caller: Caller;
  expiresAt: number;
}

/** Verifies the gateway's tokens; caches valid ones. */
export class InternalTokenVerifier {
  private readonly cache = new BoundedCache<Verified>(CAPACITY);
  private readonly keys: JWTVerifyGetKey;

  constructor(
    publicKeys: PublicKeys,
    private readonly now: () => number = Date.now,
  ) {
    this.keys = createLocalJWKSet(publicKeys);
  }

  /** @throws ServiceError `unauthenticated` */
  async verify(token: string): Promise<Caller> {
    const cached = this.cache.get(token);
    if (cached !== undefined && cached.expiresAt > this.now()) return cached.caller;
    const verified = await this.verifySignature(token);
    this.cache.set(token, verified);
    return verified.caller;
  }

  private async verifySignature(token: string): Promise<Verified> {
    const { payload } = await jwtVerify(token, this.keys, {
      algorithms: [SIGNATURE_ALGORITHM],
      issuer: INTERNAL_TOKEN_ISSUER,
      audience: INTERNAL_TOKEN_AUDIENCE,
      clockTolerance: INTERNAL_TOKEN_SKEW_SECONDS,
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(this.now()),
    }).catch((cause: unknown) => {
      throw refused(cause);
    });
    const caller = callerOf(payload);
    if (caller === undefined || payload.exp === undefined) throw refused();
    return { caller, expiresAt: (payload.exp + INTERNAL_TOKEN_SKEW_SECONDS) * 1_000 };
  }
}

const refused = (cause?: unknown) =>
  Object.assign(unauthenticated('Requests must come through the gateway.'), { cause });
