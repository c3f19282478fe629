import { divide } from '@bascule/amounts';
import type { Leg } from '../life-cycle/payment-record.js';

/** Shortfall of one conversion. */
export interface Measurement {
  chain: string;
  venue: string;
  /** In millionths of the quoted output; negative where more arrived than quoted. */
  ppm: bigint;
}

const PPM = 1_000_000n;
/** Bound of a single shortfall, so that no conversion alone decides a rating. */
const MAX_PPM = 100_000n;
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
  return ppm < -MAX_PPM ? -MAX_PPM : ppm;
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

/** Measures a conversion that failed in the simulation of its transaction. */
export const refusedShortfall = (chain: string, venue: string): Measurement => ({
  ...{ chain, venue, ppm: REFUSED_PPM },
});

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
