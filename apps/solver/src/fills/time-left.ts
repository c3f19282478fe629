/**
 * Seconds of an order's fill window that are left by whichever clock is ahead. A destination that stood still and dates
 * its blocks back would still take a fill when the origin already lets the owner have the money.
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
