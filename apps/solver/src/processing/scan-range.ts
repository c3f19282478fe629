/** Number of blocks that are read again after a reorg. */
export const REWIND = 512n;
/** Most blocks of one scan. */
export const LARGEST_SCAN = 1_000n;

interface ScanFacts {
  /** Last block that was read. */
  read: bigint;
  /** The chain's newest final block. */
  final: bigint;
  /** True when the last block that was read is still part of the chain. */
  isSame: boolean;
  /** Most blocks to read. */
  most: bigint;
}

/** Returns the next blocks to read, both ends included; null when none are due. */
export function scanRange({
  read,
  final,
  isSame,
  most,
}: ScanFacts): { from: bigint; to: bigint } | null {
  // A node that is slightly behind is no reorg.
  if (final < read && read - final <= REWIND) return null;
  const end = final < read ? final : read;
  const from = isSame ? read + 1n : end > REWIND ? end - REWIND : 0n;
  if (final < from) return null;
  return { from, to: final - from < most ? final : from + most - 1n };
}

/** Returns the blocks to read after so many could not be read: a quarter, since a timeout costs seconds. */
export const smallerScan = (blocks: bigint): bigint => (blocks > 4n ? blocks / 4n : 1n);

/** Returns the blocks to read after so many were read: one where nodes did not give its logs, since the next may be as full. */
export const largerScan = (blocks: bigint, areLogsGiven: boolean): bigint => {
  if (!areLogsGiven) return 1n;
  return blocks * 2n < LARGEST_SCAN ? blocks * 2n : LARGEST_SCAN;
};
