/** Default of the requests in flight at once: fewer than the queue of a listening socket holds (511), which resets the others. */
const IN_FLIGHT = 250;

/** Does the work for every item, as many at once as a server on a busy machine accepts. */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  inFlight = IN_FLIGHT,
): Promise<Result[]> {
  const waiting = items.entries();
  const results: Result[] = [];
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (const [index, item] of waiting) results[index] = await work(item);
    }),
  );
  return results;
}
