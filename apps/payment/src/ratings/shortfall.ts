import { divide } from '@bascule/amounts';
import type { Leg } from '../life-cycle/payment-record.js';

/** Shortfall of one conversion. */
export interface Measurement {
  chain: string;
  venue: string;
  /** In millionths of the quoted output; negative where more arrived than quoted. */
  ppm: bigint;
}

/** Measures a conversion of a leg as the leg was before its change; null where there is nothing to count. */
export type Measure = (leg: Leg) => Measurement | null;

const PPM = 1_000_000n;
/** Bound of a single shortfall, so that no conversion alone decides a rating. */
const MAX_PPM = 100_000n;
/** Bound of what one conversion pays above its quote: else a gift on a small one outweighs many false quotes. */
const MAX_GAIN_PPM = 5_000n;
/** Shortfall of a transaction that its conversion reverted on the chain: a price may have moved before its block. */
const REVERTED_PPM = 20_000n;
/** Shortfall of a transaction that is refused at once: the quote was false when it was given. */
const REFUSED_PPM = MAX_PPM;

/**
 * Returns by how much less arrived than was quoted, in millionths; negative where more arrived. Rounded up: a false quote
 * is then worth less than an honest one of the same output.
 */
export function shortfallPpm(quoted: bigint, arrived: bigint): bigint {
  if (quoted <= 0n) return 0n;
  const ppm = divide((quoted - arrived) * PPM, quoted, 'up');
  if (ppm > MAX_PPM) return MAX_PPM;
  return ppm < -MAX_GAIN_PPM ? -MAX_GAIN_PPM : ppm;
}

/** Measures an execution by what arrived; null where its attempt is not in flight, or converted nothing. */
export const executedShortfall = (
  leg: Leg,
  attempt: number | null,
  arrived: bigint,
): Measurement | null => measured(leg, attempt, (quoted) => shortfallPpm(quoted, arrived));

/** Measures an attempt that its conversion reverted; null as for an execution. */
export const revertedShortfall = (leg: Leg, attempt: number): Measurement | null =>
  measured(leg, attempt, () => REVERTED_PPM);

/** Measures a conversion that failed in the simulation of its transaction: once for a leg, however often it is tried. */
export const refusedShortfall = ({ chain, failure }: Leg, venue: string): Measurement | null =>
  failure?.refutedVenues?.includes(venue) === true ? null : { chain, venue, ppm: REFUSED_PPM };

function measured(
  { chain, status, attempts, conversion }: Leg,
  attempt: number | null,
  ppmOf: (quoted: bigint) => bigint,
): Measurement | null {
  const isInFlight = status === 'EXECUTING' && attempts === attempt;
  // A replica of an older version keeps the conversion of the attempt before.
  if (!isInFlight || conversion?.attempt !== attempt) return null;
  return { chain, venue: conversion.venue, ppm: ppmOf(conversion.quoted) };
}
