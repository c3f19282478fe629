import { SignJWT, importJWK } from 'jose';
import { BoundedCache } from './bounded-cache.js';
import type { Caller } from './caller.js';
import {
  INTERNAL_TOKEN_AUDIENCE,
  INTERNAL_TOKEN_ISSUER,
  INTERNAL_TOKEN_LIFE_SECONDS,
  SIGNATURE_ALGORITHM,
  claimsOf,
} from './internal-token.js';
import type { PrivateKey } from './private-key.js';

// Signing costs more than the rest of a forwarded request.
const REUSE_MS = 20_000;
const CAPACITY = 10_000;

/** Signs who is calling, for the services behind the gateway. */
export class InternalTokenIssuer {
  private readonly cache = new BoundedCache<{ token: Promise<string>; reusableUntil: number }>(
    CAPACITY,
  );
  private readonly key: ReturnType<typeof importJWK>;

  constructor(
    private readonly privateKey: PrivateKey,
    private readonly now: () => number = Date.now,
  ) {
    this.key = importJWK(privateKey, SIGNATURE_ALGORITHM);
  }

  /** The same caller gets the same token for 20 s. */
  async issue(caller: Caller): Promise<string> {
    const claims = claimsOf(caller);
    const cacheKey = JSON.stringify(claims);
    const cached = this.cache.get(cacheKey);
    if (cached !== undefined && cached.reusableUntil > this.now()) return cached.token;
    const token = this.sign(claims);
    this.cache.set(cacheKey, { token, reusableUntil: this.now() + REUSE_MS });
    return token;
  }

  private async sign(claims: ReturnType<typeof claimsOf>): Promise<string> {
    const issuedAt = Math.floor(this.now() / 1_000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: SIGNATURE_ALGORITHM, kid: this.privateKey.kid })
      .setIssuer(INTERNAL_TOKEN_ISSUER)
      .setAudience(INTERNAL_TOKEN_AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + INTERNAL_TOKEN_LIFE_SECONDS)
      .sign(await this.key);
  }
}
