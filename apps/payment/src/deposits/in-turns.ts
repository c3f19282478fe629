/** Orders items so that each group has its first one before any has its second one; within a group the order stays. */
export function inTurns<T>(items: readonly T[], groupOf: (item: T) => string): T[] {
  const counts = new Map<string, number>();
  const turns = items.map((item) => {
    const group = groupOf(item);
    const turn = counts.get(group) ?? 0;
    counts.set(group, turn + 1);
    return { item, turn };
  });
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ item }) => item);
}
