/**
 * Returns the seconds left of an order's fill window by the latest clock. A halted destination that backdates its blocks
 * would accept a fill after the origin allows the refund.
 */
export function timeLeft(
  fillDeadline: bigint,
  clocks: { destination: bigint; origin: bigint; wall: Date },
): bigint {
  const wall = BigInt(Math.floor(clocks.wall.getTime() / 1_000));
  const latest = [clocks.origin, wall].reduce(
    (later, clock) => (clock > later ? clock : later),
    clocks.destination,
  );
  return fillDeadline - latest;
}
