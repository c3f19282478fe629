/** An access token as it is stored: encrypted. */
export interface SharedToken {
  sealed: string;
  expiresAt: Date;
}

/** Access tokens of a provider, the same for all replicas. */
export interface SharedTokens {
  /** Changes with each new token; 0 before the first one. */
  version: number;
  /** Null before the first one. */
  current: SharedToken | null;
  /** Replaced ones that may still have signed a callback, newest first; `expiresAt` is the end of their use. */
  former: readonly SharedToken[];
  /** A replica is replacing the current one, or crashed meanwhile. */
  isClaimed: boolean;
}

/**
 * Store of access tokens that all replicas of a service share, for providers where a new token invalidates the one
 * before. A claim lets one replica at a time replace a token.
 */
export interface SharedTokenStore {
  /** Reads one row by its key. */
  read(provider: string): Promise<SharedTokens>;
  /**
   * Claims the replacement of a version, and returns the id of the claim. Undefined where the version is no longer the
   * current one, during another claim, and too soon after the last claim, however it ended.
   */
  claim(provider: string, version: number): Promise<string | undefined>;
  /** Stores a token, and returns its version; undefined where another replica has claimed the replacement since. */
  replace(provider: string, claimId: string, token: SharedToken): Promise<number | undefined>;
  /** Ends a claim without a token. */
  release(provider: string, claimId: string): Promise<void>;
}

const noTokens = (): Promise<never> =>
  Promise.reject(new Error('Access tokens have no store in this service.'));

/** Store of a service that needs no access tokens, since it only quotes. */
export const NO_SHARED_TOKENS: SharedTokenStore = {
  read: noTokens,
  claim: noTokens,
  replace: noTokens,
  release: noTokens,
};
