import {
  answerOf,
  NodesUnavailableError,
  settleUntil,
  settleWithGrace,
  witnessesNeeded,
} from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';

/** Wait for a third node where the first two differ. */
const GRACE_MS = 3_000;
/** Longer than a node's reads take. */
const PATIENCE_MS = 60_000;

/** Last read of each node, which its next one waits for. */
const lastReads = new WeakMap<EndpointClient, Promise<unknown>>();

/**
 * Answer that two nodes give alike, or the only one, as soon as they do; a third one is waited for a few seconds where they
 * differ. A node reads one answer at a time, and skips those that others gave meanwhile: a slow one would hold many large
 * answers in memory.
 * @param keyOf names an answer: two answers are equal when their names are
 * @throws when no two agree
 */
export async function promptAnswer<T>(
  chain: Pick<Chain, 'name' | 'endpoints'>,
  ask: (node: EndpointClient) => Promise<T>,
  keyOf: (answer: T) => string,
): Promise<T> {
  let isOver = false;
  const agreed = (answers: readonly T[]) => answerOf(witnessesNeeded(chain), answers, keyOf);
  const reads = chain.endpoints.map((node) => {
    const read = (lastReads.get(node) ?? Promise.resolve()).then(() => {
      if (isOver) throw new Error('answer is not needed any more');
      return ask(node);
    });
    lastReads.set(
      node,
      read.catch(() => undefined),
    );
    return read;
  });
  const { values, reasons } = await Promise.race([
    settleUntil(reads, (found) => agreed(found) !== undefined),
    settleWithGrace(reads, GRACE_MS, { results: witnessesNeeded(chain), waitMs: PATIENCE_MS }),
  ]);
  isOver = true;
  const answer = agreed(values);
  if (answer !== undefined) return answer;
  throw new NodesUnavailableError(
    `endpoints of ${chain.name} disagree, or too few answered`,
    reasons,
  );
}
