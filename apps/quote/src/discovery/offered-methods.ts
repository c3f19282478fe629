import { PAYMENT_METHODS, type PaymentMethodsResponse } from '@bascule/contracts';
import type { Ramp } from '../routes/route.js';

/** Distinct methods of each provider, in the order of `PAYMENT_METHODS`. */
export function offeredMethods(ramps: readonly Ramp[]): PaymentMethodsResponse {
  const providers = [...new Set(ramps.map(({ provider }) => provider))].sort();
  return {
    providers: Object.fromEntries(
      providers.map((name) => {
        const own = ramps.filter(({ provider }) => provider === name);
        const offered = new Set(own.map(({ method }) => method));
        return [name, PAYMENT_METHODS.filter((method) => offered.has(method))];
      }),
    ),
  };
}
