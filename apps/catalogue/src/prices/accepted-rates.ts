import type { Decimal } from '@bascule/amounts';
import { differsMuch } from './ecb-rates.js';

/** What a currency was worth, and when. */
export interface DatedRate {
  /** US dollars per unit. */
  usd: Decimal;
  asOf: Date;
}
/** By lower-case code. */
export type DatedRateTable = ReadonlyMap<string, DatedRate>;

const DAY_MS = 86_400_000;

/**
 * Which of the rates that were read now are believed, each currency on its own: one that differs by more than a fifth
 * from the last believed one is doubted, until it has been so for a day.
 */
export function acceptedRates(
  read: ReadonlyMap<string, Decimal>,
  o: { last: DatedRateTable; doubted: DatedRateTable; now: Date },
): { believed: DatedRateTable; doubted: DatedRateTable } {
  const believed = new Map<string, DatedRate>();
  const doubted = new Map<string, DatedRate>();
  for (const [code, usd] of read) {
    const last = o.last.get(code);
    const doubt = o.doubted.get(code);
    const isStill = doubt !== undefined && !differsMuch(usd, doubt.usd);
    const isKnownLongEnough = isStill && o.now.getTime() - doubt.asOf.getTime() >= DAY_MS;
    if (!last || !differsMuch(usd, last.usd) || isKnownLongEnough) {
      believed.set(code, { usd, asOf: o.now });
    } else {
      doubted.set(code, isStill ? doubt : { usd, asOf: o.now });
    }
  }
  return { believed, doubted };
}
