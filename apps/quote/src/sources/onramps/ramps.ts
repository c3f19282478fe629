import type { OnrampCoverage, OnrampPlaces } from '@bascule/providers';
import type { Ramp } from '../../routes/route.js';

const present = (...places: (OnrampPlaces | undefined)[]): OnrampPlaces[] =>
  places.flatMap((each) => each ?? []);

/** Every combination of fiat, method and token that a provider sells. */
export const rampsOf = (
  provider: string,
  { fiats, tokens, places: everywhere }: OnrampCoverage,
): Ramp[] =>
  fiats.flatMap(({ code, methods }) =>
    methods.flatMap(({ method, min, max, places: ofMethod }) =>
      tokens.map(({ token, places: ofToken }) => ({
        provider,
        method,
        fiat: code,
        token,
        limits: { min, max },
        places: present(everywhere, ofMethod, ofToken),
      })),
    ),
  );
