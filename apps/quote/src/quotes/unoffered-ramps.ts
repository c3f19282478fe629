import { OPT_IN_METHODS, type OptInMethod, type PaymentMethod } from '@bascule/contracts';
import { RouteFailure, type TimedFailure } from '../routes/route-failure.js';
import type { Route } from '../routes/route.js';
import type { RampFilter } from './selection.js';

const failed = (failure: RouteFailure): TimedFailure => ({ failure, latencyMs: 0 });

/** A failure of each requested provider that does not exist. */
export const unknownProviders = (
  { onramps = [] }: RampFilter,
  known: { has(name: string): boolean },
): TimedFailure[] =>
  [...new Set(onramps)]
    .filter((name) => !known.has(name))
    .map((name) =>
      failed(
        new RouteFailure([name], [{ kind: 'provider', message: `Unknown provider ${name}.` }]),
      ),
    );

/**
 * Failure of the requested methods that no provider offers for the routes, with the methods that would work; none
 * where no provider offers any.
 * @param routes routes of the requested providers that are sold to the customer, by any method
 */
export function unofferedMethods(
  routes: readonly Route[],
  { onramp_methods: wanted = [] }: RampFilter,
  { input, output }: { input: string; output: string },
): TimedFailure[] {
  const ramps = routes.flatMap(({ ramp }) => ramp ?? []);
  const offered = new Set<PaymentMethod>(ramps.map(({ method }) => method));
  const missing = [...new Set(wanted)].filter((method) => !offered.has(method));
  if (offered.size === 0 || missing.length === 0) return [];
  const providers = [...new Set(ramps.map(({ provider }) => provider))].sort();
  const message = `No available provider offers ${missing.join(', ')} from ${input} to ${output}; offered: ${[...offered].sort().join(', ')}.`;
  return [failed(new RouteFailure(providers, [{ kind: 'payin_method', message }]))];
}

/**
 * Failure of the requested methods that are not enabled for the key.
 * @param enabled opt-in methods of the key
 * @param providers names of the providers that were asked for
 */
export function disabledMethods(
  { onramp_methods: wanted = [] }: RampFilter,
  enabled: readonly OptInMethod[],
  providers: readonly string[],
): TimedFailure[] {
  const missing = OPT_IN_METHODS.filter(
    (method) => wanted.includes(method) && !enabled.includes(method),
  );
  if (missing.length === 0) return [];
  const message = `${missing.join(', ')} is not enabled for this API key.`;
  return [failed(new RouteFailure([...providers].sort(), [{ kind: 'payin_method', message }]))];
}
