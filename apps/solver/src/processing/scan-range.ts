/** How many blocks a chain that went back is read again. */
export const REWIND = 512n;
/** Blocks in one pass. */
const AT_ONCE = 1_000n;

interface ScanFacts {
  /** Up to where the chain was read. */
  read: bigint;
  /** The chain's newest final block. */
  final: bigint;
  /** Whether the last block that was read is still the chain's; a block that the chain lacks is not. */
  isSame: boolean;
}

/** The blocks to read next, both included; null when there are none. */
export function scanRange({ read, final, isSame }: ScanFacts): { from: bigint; to: bigint } | null {
  // A node that is a little behind has lost nothing: what it has when it gets there decides.
  if (final < read && read - final <= REWIND) return null;
  const end = final < read ? final : read;
  const from = isSame ? read + 1n : end > REWIND ? end - REWIND : 0n;
  if (final < from) return null;
  return { from, to: final - from < AT_ONCE ? final : from + AT_ONCE - 1n };
}
