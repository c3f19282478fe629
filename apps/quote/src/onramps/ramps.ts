import type { OnrampCoverage } from '@bascule/providers';
import type { Ramp } from '../routing/route.js';

/** Every combination of fiat, method and token that a provider sells. */
export const rampsOf = (provider: string, { fiats, tokens }: OnrampCoverage): Ramp[] =>
  fiats.flatMap(({ code, methods }) =>
    methods.flatMap(({ method, min, max }) =>
      tokens.map((token) => ({ provider, method, fiat: code, token, limits: { min, max } })),
    ),
  );
