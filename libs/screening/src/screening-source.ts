import type { Address } from 'viem';

/** Largest number of addresses in one question to a source. */
export const MAX_ADDRESSES = 100;

/** A source's word about addresses; those that are in neither set are clear. */
export interface Verdicts {
  sanctioned: ReadonlySet<Address>;
  /** Addresses about which the source has no verdict, as where its nodes disagree. */
  unanswered: ReadonlySet<Address>;
}

/** Verdicts of a source that has one about each address. */
export const allAnswered = (sanctioned: Iterable<Address>): Verdicts => ({
  sanctioned: new Set(sanctioned),
  unanswered: new Set(),
});

/** A list of sanctioned addresses, wherever it is kept. */
export interface ScreeningSource {
  /** Name in the audit, metrics and logs; never in an answer to a client. */
  readonly name: string;
  /** Whether its answers are kept until they expire, and its failures open a circuit; a local list is always asked. */
  readonly isRemote: boolean;
  /** Why its answers are of an older list; undefined while they are of the current one. */
  readonly outdated?: Error | undefined;
  /**
   * Screens addresses.
   * @param addresses lower case, at most {@link MAX_ADDRESSES}
   * @throws when the source gives no answer, or an incomplete one
   */
  screen(addresses: readonly Address[], signal: AbortSignal): Promise<Verdicts>;
}
