/** Times of the chains, in unix seconds where they are known, and of this process. */
export interface Clocks {
  destination?: bigint;
  origin?: bigint;
  wall: Date;
}

/**
 * Returns the seconds left of an order's fill window by the latest clock. A halted destination that backdates its blocks
 * would accept a fill after the origin allows the refund.
 */
export function timeLeft(
  fillDeadline: bigint,
  { destination = 0n, origin = 0n, wall }: Clocks,
): bigint {
  const latest = [destination, origin].reduce(
    (later, clock) => (clock > later ? clock : later),
    BigInt(Math.floor(wall.getTime() / 1_000)),
  );
  return fillDeadline - latest;
}
