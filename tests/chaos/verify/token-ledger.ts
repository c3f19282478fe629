import type { TokenIdentifier } from '@bascule/contracts';

/** Movements of one token through a payment's wallet, in smallest units. */
export interface LedgerEntry {
  /** Came from outside, also from a bridge. */
  deposits: bigint;
  /** Amount that left for legs, less the amount that came back. */
  used: bigint;
  /** Part of `used` that was fees. */
  fees: bigint;
  /** A leg gave it to a bridge, to be delivered to the wallet on another chain. */
  bridged: bigint;
  /** Amount that left by the owner's signature. */
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
] as const satisfies readonly (keyof LedgerEntry)[];

/** Amounts by token, whose id includes the chain. */
export type TokenLedger = Map<TokenIdentifier, LedgerEntry>;

const newEntry = (): LedgerEntry => ({
  ...{ deposits: 0n, used: 0n, fees: 0n, bridged: 0n },
  ...{ paidOut: 0n, withdrawn: 0n, left: 0n },
});

export function entryOf(ledger: TokenLedger, token: TokenIdentifier): LedgerEntry {
  const entry = ledger.get(token) ?? newEntry();
  ledger.set(token, entry);
  return entry;
}

export function addTo(total: TokenLedger, ledger: TokenLedger): void {
  for (const [token, entry] of ledger) {
    const sums = entryOf(total, token);
    for (const column of COLUMNS) sums[column] += entry[column];
  }
}

/** Describes the differences between two ledgers. */
export function differences(chain: TokenLedger, databases: TokenLedger): string[] {
  const tokens = new Set([...chain.keys(), ...databases.keys()]);
  return [...tokens].flatMap((token) => {
    const [a, b] = [chain.get(token) ?? newEntry(), databases.get(token) ?? newEntry()];
    return COLUMNS.filter((column) => a[column] !== b[column]).map(
      (column) => `${column} of ${token}: ${a[column]} on chain, ${b[column]} in the databases`,
    );
  });
}

/** Lists tokens whose balance is not deposits minus withdrawals and use. */
export const leaks = (ledger: TokenLedger): string[] =>
  [...ledger]
    .filter(([, { deposits, used, withdrawn, left }]) => deposits - used - withdrawn !== left)
    .map(([token]) => `${token} does not add up on chain`);
