/** A counter of one window and how much of it a request takes. */
export interface Budget {
  /** `client`: one client, without a key or with publishable keys. */
  policy: 'client' | 'key' | 'publishable_keys' | 'organisation';
  counter: string;
  /** Units of a window. */
  limit: number;
  /** Units of this request. */
  cost: number;
}

export interface Count {
  /** Units of this window, those of this request included unless it was refused. */
  used: number;
  msUntilReset: number;
}

export interface RateLimitState extends Count {
  policy: Budget['policy'];
  limit: number;
  windowSeconds: number;
  isExceeded: boolean;
}

/** Cost that fits into an unused window, however small the limit is. */
export const affordable = (budget: Budget): Budget => ({
  ...budget,
  cost: Math.min(budget.cost, budget.limit),
});

const remainingUnits = ({ limit, used }: Pick<RateLimitState, 'limit' | 'used'>): number =>
  Math.max(0, limit - used);

/** Selects the state to report: the exceeded one, or that with the least remaining units. */
export const tightest = (
  first: RateLimitState,
  ...others: readonly RateLimitState[]
): RateLimitState =>
  others.reduce((found, state) => {
    if (found.isExceeded) return found;
    return state.isExceeded || remainingUnits(state) < remainingUnits(found) ? state : found;
  }, first);

const secondsUntilReset = ({ msUntilReset }: Pick<RateLimitState, 'msUntilReset'>): number =>
  Math.max(1, Math.ceil(msUntilReset / 1_000));

/** Headers of draft-ietf-httpapi-ratelimit-headers, and `Retry-After`. */
export function rateLimitHeaders(
  state: Omit<RateLimitState, 'policy'> & { policy: string },
): Record<string, string> {
  const seconds = String(secondsUntilReset(state));
  return {
    'ratelimit-policy': `"${state.policy}";q=${state.limit};w=${state.windowSeconds}`,
    ratelimit: `"${state.policy}";r=${remainingUnits(state)};t=${seconds}`,
    ...(state.isExceeded && { 'retry-after': seconds }),
  };
}

/** Share of one replica while the replicas cannot count together. */
export const shareOf = (limit: number, replicas: number): number =>
  Math.max(1, Math.floor(limit / Math.max(1, replicas)));
