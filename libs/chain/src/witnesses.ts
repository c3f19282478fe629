import type { Chain, EndpointClient } from './chain.js';
import { settleWithGrace } from './settle-with-grace.js';

/** Wait for slower nodes after the fastest response. */
const STRAGGLER_MS = 3_000;
/** Nodes that must say the same where several are configured: a single one may lie or be on a fork. */
const WITNESSES = 2;

/** An answer, and the number of nodes that gave it. */
export interface Testimony<T> {
  answer: T;
  witnesses: number;
}

/** Number of nodes whose word is enough. */
export const witnessesNeeded = ({ endpoints }: Pick<Chain, 'endpoints'>): number =>
  Math.min(WITNESSES, endpoints.length);

/**
 * Asks nodes the same and counts equal answers, the most frequent first.
 * @param keyOf names an answer: two answers are equal when their names are
 * @throws when no node answers
 */
export async function testimonies<T>(
  endpoints: readonly EndpointClient[],
  ask: (endpoint: EndpointClient) => Promise<T>,
  keyOf: (answer: T) => string,
): Promise<Testimony<T>[]> {
  const { values, reasons } = await settleWithGrace(endpoints.map(ask), STRAGGLER_MS);
  if (values.length === 0) {
    throw reasons.length === 1 ? reasons[0] : new AggregateError(reasons, 'no endpoint answered');
  }
  const counted = new Map<string, Testimony<T>>();
  for (const answer of values) {
    const key = keyOf(answer);
    const witnesses = (counted.get(key)?.witnesses ?? 0) + 1;
    counted.set(key, { answer: counted.get(key)?.answer ?? answer, witnesses });
  }
  return [...counted.values()].sort((one, other) => other.witnesses - one.witnesses);
}

/**
 * Whether another node than the first confirms a fact; always where no other is configured.
 * @throws when none of the others answers
 */
export async function hasWitness(
  { endpoints }: Pick<Chain, 'endpoints'>,
  first: EndpointClient,
  confirms: (endpoint: EndpointClient) => Promise<boolean>,
): Promise<boolean> {
  if (endpoints.length === 1) return true;
  const others = endpoints.filter((endpoint) => endpoint !== first);
  return (await testimonies(others, confirms, String)).some(({ answer }) => answer);
}
