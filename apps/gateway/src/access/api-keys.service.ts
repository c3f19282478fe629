import { Injectable } from '@nestjs/common';
import { unauthenticated, unavailable } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { ApiKeysRepository } from '../persistence/api-keys.repository.js';
import { bearerKey, hashOfKey } from '../callers/api-key.js';
import type { ApiKey } from '../callers/api-key.js';

/** With how long a cache may keep an answer afterwards, well within the 5 s in which a revocation must have taken effect. */
export const REMEMBER_MS = 2_000;
const CAPACITY = 20_000;

interface Known {
  key: Promise<ApiKey | null>;
  until: number;
}

/** Who an API key belongs to. Unknown keys are remembered too, so that guessing does not reach the database. */
@Injectable()
export class ApiKeysService {
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly repository: ApiKeysRepository,
    private readonly context: ServiceContext,
  ) {}

  /** @throws ServiceError `unauthenticated`; `unavailable` without the database */
  async authenticate(authorization: string | undefined): Promise<ApiKey> {
    const key = bearerKey(authorization);
    if (key === undefined)
      throw unauthenticated('An API key is needed: Authorization: Bearer <key>.');
    const found = await this.find(hashOfKey(key)).catch((err: unknown) => {
      this.context.logger.error({ err }, 'API keys cannot be looked up');
      throw unavailable('API keys cannot be checked now.');
    });
    if (found === null) throw unauthenticated('The API key is unknown, revoked or expired.');
    return found;
  }

  private find(hash: string): Promise<ApiKey | null> {
    const now = Date.now();
    const known = this.known.get(hash);
    if (known !== undefined && known.until > now) return known.key;
    const key = this.repository.findUsable(hash);
    this.remember(hash, { key, until: now + REMEMBER_MS });
    key.catch(() => this.known.delete(hash));
    return key;
  }

  private remember(hash: string, entry: Known): void {
    this.known.delete(hash);
    if (this.known.size >= CAPACITY) {
      const oldest = this.known.keys().next();
      if (!oldest.done) this.known.delete(oldest.value);
    }
    this.known.set(hash, entry);
  }
}
