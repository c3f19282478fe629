/** Recorded facts about the native currency of a wallet from which no leg has taken money. */
export interface NativeLedger {
  /** Newest withdrawal from the wallet, and what it left. */
  readonly since: { readonly block: bigint; readonly remaining: bigint } | null;
  /** Sums of the recorded deposits, by block. */
  readonly deposits: readonly { readonly block: bigint; readonly amount: bigint }[];
}

/** Balance that the facts explain after a block, which is none before the newest withdrawal. */
export const explainedAt = ({ since, deposits }: NativeLedger, height: bigint): bigint =>
  deposits
    .filter(({ block }) => block <= height && block > (since?.block ?? -1n))
    .reduce((sum, { amount }) => sum + amount, since?.remaining ?? 0n);

/** Whether two readings of a wallet's facts agree. */
export const isSameLedger = (one: NativeLedger, other: NativeLedger | undefined): boolean =>
  other !== undefined && factsOf(one) === factsOf(other);

const factsOf = ({ since, deposits }: NativeLedger): string =>
  [
    since?.block,
    since?.remaining,
    ...deposits.flatMap(({ block, amount }) => [block, amount]),
  ].join();
