import { setTimeout as delay } from 'node:timers/promises';
import type { JsonResponse } from '@bascule/json-client';
import { unlessAborted } from '@bascule/process';
import { ProviderError, providerError } from '../port/provider-error.js';
import type { SharedToken, SharedTokenStore } from '../port/shared-token-store.js';
import { TokenCipher } from './token-cipher.js';

/** A token that a provider has just issued. */
export interface IssuedToken {
  value: string;
  expiresAt: Date;
}

interface UsableToken extends IssuedToken {
  version: number;
}

interface KnownTokens {
  version: number;
  isClaimed: boolean;
  /** Null before the first one, and where it was sealed with another API secret. */
  current: UsableToken | null;
  former: readonly IssuedToken[];
}

interface SharedAccessTokenOptions {
  provider: string;
  store: SharedTokenStore;
  /** Secret that gets tokens; encrypts them at rest too. */
  apiSecret: string;
  /** Asks the provider for a new token, which invalidates the current one. @throws ProviderError */
  issue: (signal: AbortSignal) => Promise<IssuedToken>;
}

const UNAUTHORISED = 401;
/** Before its expiry, so that it does not end during a call. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** Well within a claim, so that two replicas do not ask for a token at once. */
const ISSUE_TIMEOUT_MS = 15_000;
/** Another replica stores its token at once; after a crash nothing comes. */
const WAIT = { everyMs: 100, attempts: 30 };

/** Access token of a provider, shared with the other replicas: replaced by one of them, before it expires or after a 401. */
export class SharedAccessToken {
  private readonly cipher: TokenCipher;
  private known: KnownTokens | undefined;
  private reading: Promise<KnownTokens> | undefined;
  private renewing: Promise<UsableToken | undefined> | undefined;
  private waiting: Promise<UsableToken> | undefined;

  constructor(private readonly options: SharedAccessTokenOptions) {
    this.cipher = new TokenCipher(options.provider, options.apiSecret);
  }

  /** Makes a call with the token; once more with another token after a 401. @throws ProviderError */
  async authorise(
    call: (token: string) => Promise<JsonResponse>,
    signal?: AbortSignal,
  ): Promise<JsonResponse> {
    const token = await this.waitedFor(signal, () => this.valid());
    const response = await call(token.value);
    if (response.status !== UNAUTHORISED) return response;
    const other = await this.waitedFor(signal, () => this.insteadOf(token));
    const second = await call(other.value);
    if (second.status === UNAUTHORISED) throw this.unavailable('refuses its own access token');
    return second;
  }

  /** Whether the current token or a former one passes a check; reads the store once at most, and calls nobody. */
  async some(check: (token: string) => boolean): Promise<boolean> {
    const passes = ({ current, former }: KnownTokens): boolean =>
      [current, ...former].some(
        (token) => token !== null && token.expiresAt > new Date() && check(token.value),
      );
    if (this.known !== undefined && passes(this.known)) return true;
    return passes(await this.sharedRead());
  }

  private async valid(): Promise<UsableToken> {
    const kept = this.known?.current;
    if (kept && isFresh(kept)) return kept;
    const { current, version } = await this.read();
    if (current && isFresh(current)) return current;
    return current && current.expiresAt > new Date()
      ? this.renewEarly(current)
      : this.renew(version);
  }

  /** Returns the token that replaced a refused one, or replaces it. */
  private async insteadOf(refused: UsableToken): Promise<UsableToken> {
    const { current, version } = await this.read();
    return current && version !== refused.version ? current : this.renew(version);
  }

  /** Replaces a token that is still valid; where that fails, it is used to its end. */
  private async renewEarly(current: UsableToken): Promise<UsableToken> {
    try {
      return (await this.tryRenew(current.version)) ?? current;
    } catch (error) {
      if (error instanceof ProviderError) return current;
      throw error;
    }
  }

  private async renew(version: number): Promise<UsableToken> {
    return (await this.tryRenew(version)) ?? this.renewedByAnother(version);
  }

  /** Calls of this replica at the same time share one attempt; undefined where another replica has the turn. */
  private tryRenew(version: number): Promise<UsableToken | undefined> {
    this.renewing ??= this.claimAndIssue(version).finally(() => {
      this.renewing = undefined;
    });
    return this.renewing;
  }

  private async claimAndIssue(version: number): Promise<UsableToken | undefined> {
    const { provider, store } = this.options;
    const claimId = await store.claim(provider, version);
    if (claimId === undefined) return undefined;
    const { value, expiresAt } = await this.issue(claimId);
    const sealed = this.cipher.seal(value);
    const stored = await store.replace(provider, claimId, { sealed, expiresAt });
    this.known = undefined;
    return stored === undefined ? undefined : { value, expiresAt, version: stored };
  }

  private async issue(claimId: string): Promise<IssuedToken> {
    const { provider, store, issue } = this.options;
    try {
      return await issue(AbortSignal.timeout(ISSUE_TIMEOUT_MS));
    } catch (error) {
      await store.release(provider, claimId);
      throw error;
    }
  }

  /** Calls of this replica at the same time wait together, so that a crash elsewhere costs few reads. */
  private renewedByAnother(version: number): Promise<UsableToken> {
    this.waiting ??= this.waitForAnother(version).finally(() => {
      this.waiting = undefined;
    });
    return this.waiting;
  }

  private async waitForAnother(version: number): Promise<UsableToken> {
    for (let attempt = 0; attempt < WAIT.attempts; attempt += 1) {
      const stored = await this.read();
      if (stored.current && stored.version !== version) return stored.current;
      if (!stored.isClaimed) break;
      await delay(WAIT.everyMs);
    }
    throw this.unavailable('has no valid access token now');
  }

  /** Strangers' callbacks at the same time share one read. */
  private sharedRead(): Promise<KnownTokens> {
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  private async read(): Promise<KnownTokens> {
    const { provider, store } = this.options;
    const { version, isClaimed, current, former } = await store.read(provider);
    const opened = current && this.opened(current);
    this.known = {
      version,
      isClaimed,
      current: opened ? { ...opened, version } : null,
      former: former.flatMap((token) => this.opened(token) ?? []),
    };
    return this.known;
  }

  private opened({ sealed, expiresAt }: SharedToken): IssuedToken | undefined {
    const value = this.cipher.open(sealed);
    return value === undefined ? undefined : { value, expiresAt };
  }

  private async waitedFor<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (signal === undefined) return work();
    try {
      return await unlessAborted(signal, work);
    } catch (error) {
      if (!signal.aborted || error instanceof ProviderError) throw error;
      throw this.unavailable('was not waited for', error);
    }
  }

  private readonly unavailable = (message: string, cause?: unknown): ProviderError =>
    providerError(this.options.provider, 'unavailable', message, cause);
}

const isFresh = ({ expiresAt }: UsableToken): boolean =>
  expiresAt.getTime() - Date.now() > RENEW_BEFORE_MS;
