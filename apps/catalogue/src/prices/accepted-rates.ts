import type { Decimal } from '@bascule/amounts';
import { differsMuch } from './ecb-rates.js';

/** Exchange rate of a currency with its time. */
export interface DatedRate {
  /** US dollars per unit. */
  usd: Decimal;
  asOf: Date;
}
/** By lower-case code. */
export type DatedRateTable = ReadonlyMap<string, DatedRate>;

const DAY_MS = 86_400_000;

/**
 * Accepts or suspects each rate on its own. One that differs from the last accepted rate by more than a fifth is
 * suspect until it has stayed so for a day.
 */
export function acceptedRates(
  read: ReadonlyMap<string, Decimal>,
  o: { last: DatedRateTable; suspect: DatedRateTable; now: Date },
): { accepted: DatedRateTable; suspect: DatedRateTable } {
  const accepted = new Map<string, DatedRate>();
  const suspect = new Map<string, DatedRate>();
  for (const [code, usd] of read) {
    const last = o.last.get(code);
    const earlier = o.suspect.get(code);
    const isStill = earlier !== undefined && !differsMuch(usd, earlier.usd);
    const isKnownLongEnough = isStill && o.now.getTime() - earlier.asOf.getTime() >= DAY_MS;
    if (!last || !differsMuch(usd, last.usd) || isKnownLongEnough) {
      accepted.set(code, { usd, asOf: o.now });
    } else {
      suspect.set(code, isStill ? earlier : { usd, asOf: o.now });
    }
  }
  return { accepted, suspect };
}
