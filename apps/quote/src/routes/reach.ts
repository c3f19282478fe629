import type { TokenIdentifier } from '@bascule/contracts';

type Neighbours = ReadonlyMap<TokenIdentifier, readonly TokenIdentifier[]>;

/** Adjacency of tokens: by conversion on their chain, by bridge to other chains. */
export interface Steps {
  converted: Neighbours;
  carried: Neighbours;
}

interface Edge {
  inputToken: TokenIdentifier;
  outputToken: TokenIdentifier;
}

/** Indexes edges by their start (`forwards`) or by their end (`backwards`). */
export function neighbours(
  edges: readonly Edge[],
  direction: 'forwards' | 'backwards',
): Neighbours {
  const found = new Map<TokenIdentifier, TokenIdentifier[]>();
  for (const { inputToken, outputToken } of edges) {
    const [from, to] =
      direction === 'forwards' ? [inputToken, outputToken] : [outputToken, inputToken];
    const known = found.get(from);
    if (known) known.push(to);
    else found.set(from, [to]);
  }
  return found;
}

/** Collects the tokens at the far end of every route from (or, backwards, to) any of `starts`. */
export function reach(
  starts: Iterable<TokenIdentifier>,
  { converted, carried }: Steps,
): Set<TokenIdentifier> {
  const onChain = withNeighbours(starts, converted);
  const crossed = [...onChain].flatMap((token) => carried.get(token) ?? []);
  return new Set([...onChain, ...withNeighbours(crossed, converted)]);
}

const withNeighbours = (
  tokens: Iterable<TokenIdentifier>,
  next: Neighbours,
): Set<TokenIdentifier> => {
  const all = new Set(tokens);
  for (const token of [...all]) for (const neighbour of next.get(token) ?? []) all.add(neighbour);
  return all;
};
