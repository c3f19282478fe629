import { parseTokenIdentifier, tokenIdentifier, type TokenIdentifier } from '@bascule/contracts';
import { zeroAddress } from 'viem';
import { acceptanceOf, type Play } from '../payments/play.js';
import { lower, sum, type ChainRecord } from './chain-record.js';
import type { Databases } from './databases.js';

/** What a payment's wallet did with one token, and what was paid out of it; smallest units. */
export interface Entry {
  /** Came from outside. */
  deposits: bigint;
  /** Left for legs, less what came back of it. */
  used: bigint;
  /** Of that, fees. */
  fees: bigint;
  /** Left by the owner's signature. */
  withdrawn: bigint;
  /** Is still there. */
  left: bigint;
  /** Reached the destination. */
  paidOut: bigint;
}

export const COLUMNS = ['deposits', 'used', 'fees', 'paidOut', 'withdrawn', 'left'] as const;

/** By token. */
export type Book = Map<TokenIdentifier, Entry>;

const newEntry = (): Entry => ({
  ...{ deposits: 0n, used: 0n, fees: 0n },
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

const isNative = (token: TokenIdentifier): boolean =>
  parseTokenIdentifier(token).address === zeroAddress;

/** From transfers and events; of native currency, which leaves no log, from the player's deposits and balances. */
export async function chainBook(play: Play, { chain, ...record }: ChainRecord): Promise<Book> {
  const book: Book = new Map();
  const wallet = lower(acceptanceOf(play).wallet);
  const destination = lower(play.destination);
  const legs = record.legs.filter((leg) => leg.wallet === wallet);
  const legHashes = new Set(legs.map(({ hash }) => hash));
  for (const { token, from, to, units, hash } of record.transfers) {
    if (to === destination) entryOf(book, token).paidOut += units;
    if (to === wallet && legHashes.has(hash)) entryOf(book, token).used -= units;
    else if (to === wallet) entryOf(book, token).deposits += units;
    if (from === wallet && legHashes.has(hash)) entryOf(book, token).used += units;
    else if (from === wallet) entryOf(book, token).withdrawn += units;
  }
  const native = entryOf(book, tokenIdentifier(chain.name, zeroAddress));
  if (play.chain === chain) {
    native.deposits = sum(
      play.deposits.flatMap((each) => (isNative(each.token) ? each.units : [])),
    );
  }
  native.paidOut = await chain.client.getBalance({ address: play.destination });
  for (const leg of legs) {
    const entry = entryOf(book, legInput(play, chain.name));
    entry.fees += sum(leg.fees);
    if (entry === native) native.used += leg.amount + sum(leg.fees);
  }
  for (const [token, entry] of book) entry.left = await chain.balance(token, wallet);
  return book;
}

function legInput(play: Play, chain: string): TokenIdentifier {
  const [leg] = acceptanceOf(play).declaration.legs;
  return tokenIdentifier(chain, leg?.inputToken ?? zeroAddress);
}

/** From the rows of the services. */
export function databaseBook(play: Play, rows: Databases): Book {
  const book: Book = new Map();
  const { id } = acceptanceOf(play);
  const isOurs = ({ paymentId }: { paymentId: string }) => paymentId === id;
  const deposits = rows.deposits.filter((row) => isOurs(row) && row.confirmed);
  const settled = rows.legs.flatMap(({ settlement, ...row }) =>
    isOurs(row) && settlement !== null ? [{ ...row, settlement }] : [],
  );
  const [landing] = rows.landings
    .flatMap((row) => (isOurs(row) && row.landed !== null ? [row.landed] : []))
    .sort((a, b) => Number(b.blockNumber) - Number(a.blockNumber));
  const tokens = rows.payments.find((row) => row.id === id)?.legTokens ?? [];
  const isLater = (block: string) => BigInt(block) > BigInt(landing?.blockNumber ?? -1);

  for (const { token, amount } of landing?.remaining ?? []) {
    entryOf(book, token).left += BigInt(amount);
  }
  for (const { token, amount, blockNumber } of deposits) {
    entryOf(book, token).deposits += BigInt(amount);
    if (isLater(blockNumber)) entryOf(book, token).left += BigInt(amount);
  }
  for (const { index, settlement } of settled) {
    const leg = tokens[index];
    if (!leg) continue;
    const fees = sum(settlement.fees.map(BigInt));
    const used = BigInt(settlement.input) + fees;
    const entry = entryOf(book, leg.input);
    entry.fees += fees;
    entry.used += used;
    if (isLater(settlement.blockNumber)) entry.left -= used;
    entryOf(book, leg.output).paidOut += BigInt(settlement.output);
  }
  for (const entry of book.values()) {
    entry.withdrawn = entry.deposits - entry.used - entry.left;
  }
  return book;
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
