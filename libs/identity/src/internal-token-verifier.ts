import { unauthenticated } from '@bascule/contracts';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type { JWTVerifyGetKey } from 'jose';
import { Reloadable } from '@bascule/process';
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

/** Public keys with the tokens that they verified: a removed key ends its tokens at once. */
interface Trusted {
  keys: JWTVerifyGetKey;
  verified: BoundedCache<Verified>;
}

/** Verifies the gateway's tokens; caches valid ones. */
export class InternalTokenVerifier {
  private readonly trusted: Reloadable<Trusted>;

  constructor(
    publicKeys: PublicKeys | Reloadable<PublicKeys>,
    private readonly now: () => number = Date.now,
  ) {
    this.trusted = Reloadable.of(publicKeys).map<Trusted>((keys) => ({
      keys: createLocalJWKSet(keys),
      verified: new BoundedCache(CAPACITY),
    }));
  }

  /** @throws ServiceError `unauthenticated` */
  async verify(token: string): Promise<Caller> {
    const trusted = this.trusted.current;
    const cached = trusted.verified.get(token);
    if (cached !== undefined && cached.expiresAt > this.now()) return cached.caller;
    const verified = await this.verifySignature(token, trusted.keys);
    trusted.verified.set(token, verified);
    return verified.caller;
  }

  private async verifySignature(token: string, keys: JWTVerifyGetKey): Promise<Verified> {
    const { payload } = await jwtVerify(token, keys, {
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
