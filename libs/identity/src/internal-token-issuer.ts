import { SignJWT, importJWK } from 'jose';
import type { JWTPayload } from 'jose';
import { Reloadable } from '@bascule/process';
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

interface Issued {
  token: Promise<string>;
  reusableUntil: number;
}

/** Signs the caller of a request for the services behind the gateway. */
export class InternalTokenIssuer {
  private readonly signer: Reloadable<Signer>;

  constructor(
    privateKey: PrivateKey | Reloadable<PrivateKey>,
    private readonly now: () => number = Date.now,
  ) {
    this.signer = Reloadable.of(privateKey).map((key) => new Signer(key));
  }

  /** The same caller gets the same token for 20 s. */
  issue(caller: Caller): Promise<string> {
    return this.signer.current.issue(caller, this.now());
  }
}

/** Signs with one key, whose tokens it caches. */
class Signer {
  private readonly byClaims = new BoundedCache<Issued>(CAPACITY);
  /** Tokens by `Caller` object, which avoids serialising the claims again. */
  private readonly byIdentity = new WeakMap<Caller, Issued>();
  private readonly key: ReturnType<typeof importJWK>;

  constructor(private readonly privateKey: PrivateKey) {
    this.key = importJWK(privateKey, SIGNATURE_ALGORITHM);
  }

  issue(caller: Caller, now: number): Promise<string> {
    const known = this.byIdentity.get(caller);
    if (known !== undefined && known.reusableUntil > now) return known.token;
    const issued = this.issueFor(claimsOf(caller), now);
    this.byIdentity.set(caller, issued);
    return issued.token;
  }

  private issueFor(claims: JWTPayload, now: number): Issued {
    const cacheKey = JSON.stringify(claims);
    const known = this.byClaims.get(cacheKey);
    if (known !== undefined && known.reusableUntil > now) return known;
    const issued = { token: this.sign(claims, now), reusableUntil: now + REUSE_MS };
    this.byClaims.set(cacheKey, issued);
    return issued;
  }

  private async sign(claims: JWTPayload, now: number): Promise<string> {
    const issuedAt = Math.floor(now / 1_000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: SIGNATURE_ALGORITHM, kid: this.privateKey.kid })
      .setIssuer(INTERNAL_TOKEN_ISSUER)
      .setAudience(INTERNAL_TOKEN_AUDIENCE)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + INTERNAL_TOKEN_LIFE_SECONDS)
      .sign(await this.key);
  }
}
