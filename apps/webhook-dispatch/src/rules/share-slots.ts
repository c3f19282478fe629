import type { ClaimQueue, Grant } from './claim-queue.js';
import type { Slots } from './slots.js';

/**
 * Shares free slots round-robin: among organisations, fewest slots in use first, then among each organisation's queues.
 * A large backlog delays only its own organisation; ties follow the order of queues, so shuffle them
 * ({@link inRandomOrder}).
 */
export function shareSlots(queues: readonly ClaimQueue[], slots: Slots): Grant[] {
  const left = slots.copy();
  const granted = new Map<ClaimQueue, number>();
  let organisations = [...Map.groupBy(queues, ({ orgId }) => orgId)]
    .sort(([one], [other]) => slots.takenBy(one) - slots.takenBy(other))
    .map(([, turns]) => [...turns]);
  while (organisations.length > 0 && left.free > 0) {
    organisations = organisations.filter((turns) => takeOne(turns, left, granted));
  }
  return [...granted].map(([{ kind, webhookId }, count]) => ({ kind, webhookId, slots: count }));
}

/** Shuffles items; without it, slots that become free one by one would all go to the first. */
export function inRandomOrder<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** True when due deliveries may remain; each queue is counted up to `counted`. */
export function isSaturated(
  queues: readonly ClaimQueue[],
  grants: readonly Grant[],
  counted: number,
): boolean {
  const due = queues.reduce((sum, queue) => sum + queue.due, 0);
  const granted = grants.reduce((sum, grant) => sum + grant.slots, 0);
  return due > granted || queues.some((queue) => queue.due >= counted);
}

/** Grants a slot to the first queue that may have another, which moves to the end; false when there is none. */
function takeOne(turns: ClaimQueue[], left: Slots, granted: Map<ClaimQueue, number>): boolean {
  for (let queue = turns.shift(); queue !== undefined; queue = turns.shift()) {
    const count = granted.get(queue) ?? 0;
    if (count >= queue.due || left.freeFor(queue) <= 0) continue;
    left.take(queue);
    granted.set(queue, count + 1);
    turns.push(queue);
    return true;
  }
  return false;
}
