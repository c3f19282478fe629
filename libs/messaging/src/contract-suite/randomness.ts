/** Repeatable chance: the seed is in the message of a failure, and `CONTRACT_SEED` sets it. */
export interface Chance {
  /** An integer below `bound`. */
  below(bound: number): number;
  /** True in so many of a hundred cases. */
  percent(share: number): boolean;
  shuffled<T>(items: readonly T[]): T[];
}

function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    below: (bound) => Math.floor(next() * bound),
    percent: (share) => next() * 100 < share,
    shuffled: (items) =>
      items
        .map((item) => ({ item, order: next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ item }) => item),
  };
}

export async function withChance(run: (chance: Chance) => Promise<void>): Promise<void> {
  const seed = Number(process.env.CONTRACT_SEED ?? Date.now() % 1_000_000);
  try {
    await run(chance(seed));
  } catch (error) {
    throw new Error(`with CONTRACT_SEED=${seed}`, { cause: error });
  }
}
