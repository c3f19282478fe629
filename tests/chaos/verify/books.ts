import type { TokenIdentifier } from '@bascule/contracts';

/** What a payment's wallet did with one token, and what was paid out of it; smallest units. */
export interface Entry {
  /** Came from outside, also from a bridge. */
  deposits: bigint;
  /** Left for legs, less what came back of it. */
  used: bigint;
  /** Of that, fees. */
  fees: bigint;
  /** A leg gave it to a bridge, to be delivered to the wallet on another chain. */
  bridged: bigint;
  /** Left by the owner's signature. */
  withdrawn: bigint;
  /** Is still there. */
  left: bigint;
  /** Reached the destination. */
  paidOut: bigint;
}

export const COLUMNS = [
  'deposits',
  'used',
  'fees',
  'bridged',
  'paidOut',
  'withdrawn',
  'left',
] as const satisfies readonly (keyof Entry)[];

/** By token, which says on which chain. */
export type Book = Map<TokenIdentifier, Entry>;

const newEntry = (): Entry => ({
  ...{ deposits: 0n, used: 0n, fees: 0n, bridged: 0n },
  ...{ paidOut: 0n, withdrawn: 0n, left: 0n },
});

export function entryOf(book: Book, token: TokenIdentifier): Entry {
  const entry = book.get(token) ?? newEntry();
  book.set(token, entry);
  return entry;
}

export function addTo(total: Book, book: Book): void {
  for (const [token, entry] of book) {
    const sums = entryOf(total, token);
    for (const column of COLUMNS) sums[column] += entry[column];
  }
}

/** Where two books differ, in words. */
export function differences(chain: Book, databases: Book): string[] {
  const tokens = new Set([...chain.keys(), ...databases.keys()]);
  return [...tokens].flatMap((token) => {
    const [a, b] = [chain.get(token) ?? newEntry(), databases.get(token) ?? newEntry()];
    return COLUMNS.filter((column) => a[column] !== b[column]).map(
      (column) => `${column} of ${token}: ${a[column]} on chain, ${b[column]} in the databases`,
    );
  });
}

/** Where more or less is left than came and went. */
export const leaks = (book: Book): string[] =>
  [...book]
    .filter(([, { deposits, used, withdrawn, left }]) => deposits - used - withdrawn !== left)
    .map(([token]) => `${token} does not add up on chain`);
