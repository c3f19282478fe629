import type { Address } from 'viem';

/** Largest number of addresses in one question to a source. */
export const MAX_ADDRESSES = 100;

/** A list of sanctioned addresses, wherever it is kept. */
export interface ScreeningSource {
  /** Name in the audit, metrics and logs; never in an answer to a client. */
  readonly name: string;
  /** Whether its answers are kept until they expire, and its failures open a circuit; a local list is always asked. */
  readonly isRemote: boolean;
  /** Why its answers are of an older list; undefined while they are of the current one. */
  readonly outdated?: Error | undefined;
  /**
   * Returns the sanctioned ones among the addresses.
   * @param addresses lower case, at most {@link MAX_ADDRESSES}
   * @throws when the source gives no complete answer
   */
  screen(addresses: readonly Address[], signal: AbortSignal): Promise<ReadonlySet<Address>>;
}
