import type { Chain, ChainView, EndpointClient } from './chain.js';
import { NodesUnavailableError } from './nodes-unavailable-error.js';
import { settleWithGrace } from './settle-with-grace.js';
import { witnessedAnswer, witnessesNeeded } from './witnesses.js';

/** Wait for slower nodes after two answers. */
const STRAGGLER_MS = 1_000;
/** Wait for a second node after the first answer. */
const QUORUM = { results: 2, waitMs: 3_000 };

/** Returns the chain as one node shows it. */
const seenBy = (
  { name, chainId, definition }: Omit<ChainView, 'client'>,
  client: EndpointClient,
): ChainView => ({ name, chainId, definition, client });

/**
 * Asks every node the same, and returns the answers of those that give one in time.
 * @throws NodesUnavailableError when none of several answers, the error of the only one
 */
export async function answersOfNodes<T>(
  chain: Chain,
  ask: (view: ChainView) => Promise<T>,
): Promise<T[]> {
  const { values, reasons } = await settleWithGrace(
    chain.endpoints.map((node) => ask(seenBy(chain, node))),
    STRAGGLER_MS,
    QUORUM,
  );
  if (values.length > 0) return values;
  throw reasons.length === 1
    ? reasons[0]
    : new NodesUnavailableError(`no endpoint of ${chain.name} answered`, reasons);
}

/**
 * Answer that two nodes give, or the only one.
 * @param keyOf names an answer: two answers are equal when their names are
 * @throws when no two agree, or none answers
 */
export const witnessedView = <T>(
  chain: Chain,
  ask: (view: ChainView) => Promise<T>,
  keyOf: (answer: T) => string = String,
): Promise<T> => witnessedAnswer(chain, (node) => ask(seenBy(chain, node)), keyOf);

/**
 * Asks one node, and all of them where its answer refuses something, or it gives none: two of several must refuse.
 * @throws when nodes disagree, or the only one that answers refuses
 */
export async function secondedRefusal<T>(
  chain: Chain,
  ask: (view: ChainView) => Promise<T>,
  isRefusal: (answer: T) => boolean,
): Promise<T> {
  if (chain.endpoints.length === 1) return ask(chain.anyNode);
  const first = await ask(chain.anyNode).then(
    (answer) => ({ answer }),
    () => null,
  );
  if (first !== null && !isRefusal(first.answer)) return first.answer;
  return witnessedView(chain, ask, (answer) => String(isRefusal(answer)));
}

/**
 * Asks one node whether it refuses, and all of them where it does, or does not answer: most of them must refuse, of two
 * both.
 * @throws when the only one of several that answers refuses, or none answers
 */
export async function mostRefuse(
  chain: Chain,
  refuses: (view: ChainView) => Promise<boolean>,
): Promise<boolean> {
  if (chain.endpoints.length === 1) return refuses(chain.anyNode);
  if ((await refuses(chain.anyNode).catch(() => true)) === false) return false;
  const answers = await answersOfNodes(chain, refuses);
  const refusals = answers.filter(Boolean).length;
  if (refusals <= answers.length / 2) return false;
  if (refusals >= witnessesNeeded(chain)) return true;
  throw new NodesUnavailableError(`too few endpoints of ${chain.name} answered`);
}
