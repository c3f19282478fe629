export interface RateLimitState {
  /** Whose requests are counted: those of an API key, or of a client address. */
  policy: 'key' | 'client';
  limit: number;
  windowSeconds: number;
  /** Requests of this window, this one included. */
  used: number;
  msUntilReset: number;
}

export const isExceeded = ({ limit, used }: RateLimitState): boolean => used > limit;

const secondsUntilReset = ({ msUntilReset }: RateLimitState): number =>
  Math.max(1, Math.ceil(msUntilReset / 1_000));

/** As draft-ietf-httpapi-ratelimit-headers has them, and `Retry-After` for everybody else. */
export function rateLimitHeaders(state: RateLimitState): Record<string, string> {
  const remaining = Math.max(0, state.limit - state.used);
  const seconds = String(secondsUntilReset(state));
  return {
    'ratelimit-policy': `"${state.policy}";q=${state.limit};w=${state.windowSeconds}`,
    ratelimit: `"${state.policy}";r=${remaining};t=${seconds}`,
    ...(isExceeded(state) && { 'retry-after': seconds }),
  };
}

/** What one of several replicas may grant on its own. */
export const shareOf = (limit: number, replicas: number): number =>
  Math.max(1, Math.floor(limit / Math.max(1, replicas)));
