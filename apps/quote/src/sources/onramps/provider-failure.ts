import { ProviderError } from '@bascule/providers';
import { TimeoutError } from '@bascule/process';
import { RouteFailure } from '../../routes/route-failure.js';

/** Whatever went wrong while a provider was asked, as the client may see it. */
export function toRouteFailure(provider: string, error: unknown): RouteFailure {
  if (error instanceof RouteFailure) return error;
  if (error instanceof ProviderError) {
    return new RouteFailure([provider], error.issues, { cause: error });
  }
  if (!(error instanceof TimeoutError)) throw error;
  const message = `${provider}: did not answer in time`;
  return new RouteFailure([provider], [{ kind: 'provider', message }], { cause: error });
}
