import type { Place } from '@bascule/contracts';
import { JsonObject, readEach } from '../wire/json-object.js';
import { alpha3Of } from '../wire/countries.js';

/** Countries with Coinbase Onramp. */
export interface ServedCountry {
  alpha3: string;
  /** Country, or its states where only some are served. */
  places: readonly Place[];
  /** Names of the v1 API. */
  methods: ReadonlySet<string>;
}

/** Reads `GET /onramp/v1/buy/config`. */
export const readBuyConfig = (body: unknown): ServedCountry[] =>
  readEach(JsonObject.of(body).list('countries'), 'countries', (item) => {
    const alpha3 = alpha3Of(item.string('id'));
    if (alpha3 === undefined) return [];
    const states = item.has('subdivisions') ? item.strings('subdivisions') : [];
    return [
      {
        alpha3,
        places: states.length === 0 ? [alpha3] : states.map((state) => `${alpha3}-${state}`),
        methods: new Set(
          item.objects('payment_methods').map((method) => method.string('id').toUpperCase()),
        ),
      },
    ];
  }).flat();
