/**
 * Finds the newest item that is held, where all older ones are held, too: by doubling steps back, then by halving.
 * @returns its index, or the number of items where none is held
 */
export async function newestHeld<T>(
  newestFirst: readonly T[],
  isHeld: (item: T) => Promise<boolean>,
): Promise<number> {
  const isHeldAt = async (index: number): Promise<boolean> => {
    const item = newestFirst[index];
    return item === undefined || isHeld(item);
  };
  let [missing, held] = [-1, 0];
  for (let step = 1; !(await isHeldAt(held)); step *= 2) {
    missing = held;
    held = Math.min(held + step, newestFirst.length);
  }
  while (held - missing > 1) {
    const middle = Math.floor((held + missing) / 2);
    if (await isHeldAt(middle)) held = middle;
    else missing = middle;
  }
  return held;
}
