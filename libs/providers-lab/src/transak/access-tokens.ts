import { randomBytes } from 'node:crypto';
import type { LabAnswer, LabRequest } from '../server/lab-server.js';
import { unixSeconds } from '../server/signatures.js';
import { signedJwt } from './jwt.js';
import { refused } from './refused.js';

interface Account {
  apiKey: string;
  apiSecret: string;
}

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** Access tokens of an account: the newest one is valid, for seven days. */
export class AccessTokens {
  /** Requests for a token so far. */
  issued = 0;
  /** Lifetime of the tokens to come. */
  lifetimeMs = WEEK_MS;
  /** Refuses every token, whichever it is. */
  refusesAll = false;
  private current: { value: string; expiresAt: Date } | undefined;

  constructor(private readonly account: Account) {}

  /** Key that signs webhooks now. */
  get signingKey(): string {
    return this.current?.value ?? 'no access token';
  }

  /** Answers `POST /partners/api/v2/refresh-token`. */
  refresh({ headers, body }: LabRequest): LabAnswer {
    const { apiKey } = JSON.parse(body.toString('utf8')) as { apiKey?: unknown };
    this.issued += 1;
    const { account } = this;
    if (apiKey !== account.apiKey || headers['api-secret'] !== account.apiSecret) {
      return refused(401, 'Invalid API secret');
    }
    const { value, expiresAt } = this.issue();
    return { json: { data: { accessToken: value, expiresAt: unixSeconds(expiresAt) } } };
  }

  /** Issues a token, as another deployment with the same keys would. */
  issue(): { value: string; expiresAt: Date } {
    const expiresAt = new Date(Date.now() + this.lifetimeMs);
    const nonce = randomBytes(16).toString('hex');
    const claims = { API_KEY: this.account.apiKey, nonce, exp: unixSeconds(expiresAt) };
    this.current = { value: signedJwt(claims, 'key of the lab'), expiresAt };
    return this.current;
  }

  isValid({ headers }: LabRequest): boolean {
    const { current } = this;
    return (
      !this.refusesAll &&
      current !== undefined &&
      current.expiresAt > new Date() &&
      headers['access-token'] === current.value &&
      headers['x-api-key'] === this.account.apiKey
    );
  }
}
