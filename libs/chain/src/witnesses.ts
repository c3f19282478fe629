import type { Chain, EndpointClient } from './chain.js';
import { median } from './median.js';
import { NodesUnavailableError } from './nodes-unavailable-error.js';
import { settleWithGrace } from './settle-with-grace.js';

/** Wait for slower nodes after the fastest response. */
const STRAGGLER_MS = 3_000;
/** Nodes that must say the same where several are configured: a single one may lie or be on a fork. */
const WITNESSES = 2;
/** Wait for a second node after the first response. */
const QUORUM = { results: WITNESSES, waitMs: STRAGGLER_MS };

/** Waits of {@link reportedCount}, which one answer is enough for. */
const COUNT_STRAGGLER_MS = 250;
const COUNT_QUORUM = { results: WITNESSES, waitMs: 2_000 };

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
 * @param stragglerMs wait for slower nodes after the first response, and after the second
 * @throws when no node answers
 */
export async function testimonies<T>(
  endpoints: readonly EndpointClient[],
  ask: (endpoint: EndpointClient) => Promise<T>,
  keyOf: (answer: T) => string,
  stragglerMs = STRAGGLER_MS,
): Promise<Testimony<T>[]> {
  const quorum = { ...QUORUM, waitMs: stragglerMs };
  const { values, reasons } = await settleWithGrace(endpoints.map(ask), stragglerMs, quorum);
  if (values.length === 0) {
    throw reasons.length === 1
      ? reasons[0]
      : new NodesUnavailableError('no endpoint answered', reasons);
  }
  return countAlike(values, keyOf);
}

/** Counts equal answers, the most frequent first. */
export function countAlike<T>(answers: readonly T[], keyOf: (answer: T) => string): Testimony<T>[] {
  const counted = new Map<string, Testimony<T>>();
  for (const answer of answers) {
    const key = keyOf(answer);
    const witnesses = (counted.get(key)?.witnesses ?? 0) + 1;
    counted.set(key, { answer: counted.get(key)?.answer ?? answer, witnesses });
  }
  return [...counted.values()].sort((one, other) => other.witnesses - one.witnesses);
}

/** The only testimony that enough nodes gave; undefined where there is none, or another one beside it. */
export function decisive<T>(
  needed: number,
  said: readonly Testimony<T>[],
): Testimony<T> | undefined {
  const [found, other] = said.filter(({ witnesses }) => witnesses >= needed);
  return other === undefined ? found : undefined;
}

/**
 * Asks all nodes about a fact: `witnessed` by two of them, or by the only one; `denied` by two; else `unclear`. The
 * node that reported the fact counts like any other.
 * @param stragglerMs wait for slower nodes after the first response, and after the second
 * @throws when no node answers
 */
export async function testimonyOf(
  chain: Pick<Chain, 'endpoints'>,
  confirms: (endpoint: EndpointClient) => Promise<boolean>,
  stragglerMs?: number,
): Promise<'witnessed' | 'denied' | 'unclear'> {
  const said = await testimonies(chain.endpoints, confirms, String, stragglerMs);
  const found = decisive(witnessesNeeded(chain), said);
  if (found === undefined) return 'unclear';
  return found.answer ? 'witnessed' : 'denied';
}

/**
 * Answer that two nodes give, or the only one.
 * @param keyOf names an answer: two answers are equal when their names are
 * @throws when no two agree, or none answers
 */
export async function witnessedAnswer<T>(
  chain: Pick<Chain, 'name' | 'endpoints'>,
  ask: (endpoint: EndpointClient) => Promise<T>,
  keyOf: (answer: T) => string,
): Promise<T> {
  const said = await testimonies(chain.endpoints, ask, keyOf);
  const found = decisive(witnessesNeeded(chain), said);
  if (found !== undefined) return found.answer;
  throw new NodesUnavailableError(`endpoints of ${chain.name} disagree, or too few answered`);
}

/**
 * Lowest number that two nodes do not exceed, or the only one: of two the higher, of three the one between.
 * @throws when too few nodes answer
 */
export const witnessedMinimum = (
  chain: Pick<Chain, 'name' | 'endpoints'>,
  ask: (endpoint: EndpointClient) => Promise<number>,
): Promise<number> => witnessedNumber(chain, ask, (a, b) => a - b);

/**
 * Highest number that two nodes reach, or the only one.
 * @throws when too few nodes answer
 */
export const witnessedMaximum = (
  chain: Pick<Chain, 'name' | 'endpoints'>,
  ask: (endpoint: EndpointClient) => Promise<number>,
): Promise<number> => witnessedNumber(chain, ask, (a, b) => b - a);

/** Number of the last of the needed nodes, in the given order. */
async function witnessedNumber(
  chain: Pick<Chain, 'name' | 'endpoints'>,
  ask: (endpoint: EndpointClient) => Promise<number>,
  order: (a: number, b: number) => number,
): Promise<number> {
  const { values, reasons } = await settleWithGrace(chain.endpoints.map(ask), STRAGGLER_MS, QUORUM);
  const found = values.sort(order)[witnessesNeeded(chain) - 1];
  if (found !== undefined) return found;
  throw new NodesUnavailableError(`too few endpoints of ${chain.name} answered`, reasons);
}

/** A number that only grows, as nodes report it. */
export interface ReportedCount {
  /** Median, of two nodes the higher one: one node sets it where the other one is away. */
  likely: number;
  /** Highest that two nodes reach, or the only one; null where too few answered. */
  witnessed: number | null;
}

/**
 * Asks the nodes for a number that only grows.
 * @throws when no node answers
 */
export async function reportedCount(
  chain: Pick<Chain, 'name' | 'endpoints'>,
  ask: (endpoint: EndpointClient) => Promise<number>,
): Promise<ReportedCount> {
  const { values, reasons } = await settleWithGrace(
    chain.endpoints.map(ask),
    COUNT_STRAGGLER_MS,
    COUNT_QUORUM,
  );
  const likely = median(values, 'higher');
  if (likely === undefined) {
    if (chain.endpoints.length === 1) throw reasons[0];
    throw new NodesUnavailableError(`no endpoint of ${chain.name} answered`, reasons);
  }
  const descending = values.sort((a, b) => b - a);
  return { likely, witnessed: descending[witnessesNeeded(chain) - 1] ?? null };
}
