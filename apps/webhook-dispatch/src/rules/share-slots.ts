import type { Grant, Lane } from './lane.js';
import type { Slots } from './slots.js';

/**
 * Shares the free slots out, one at a time: by turns among organisations, who has the fewest first, and within each by
 * turns among its lanes. So who has many webhooks, or much to be delivered, waits for itself only. Among equals the order
 * of the lanes decides, which {@link inRandomOrder} makes nobody's advantage.
 */
export function shareSlots(lanes: readonly Lane[], slots: Slots): Grant[] {
  const left = slots.copy();
  const granted = new Map<Lane, number>();
  let organisations = [...Map.groupBy(lanes, ({ orgId }) => orgId)]
    .sort(([one], [other]) => slots.takenBy(one) - slots.takenBy(other))
    .map(([, queue]) => [...queue]);
  while (organisations.length > 0 && left.free > 0) {
    organisations = organisations.filter((queue) => takeOne(queue, left, granted));
  }
  return [...granted].map(([{ kind, webhookId }, count]) => ({ kind, webhookId, slots: count }));
}

/** Slots that become free one by one would all go to who comes first. */
export function inRandomOrder<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** True when more is due than was granted, or may be, as no more than `counted` are counted of a lane. */
export function isShort(
  lanes: readonly Lane[],
  grants: readonly Grant[],
  counted: number,
): boolean {
  const due = lanes.reduce((sum, lane) => sum + lane.due, 0);
  const granted = grants.reduce((sum, grant) => sum + grant.slots, 0);
  return due > granted || lanes.some((lane) => lane.due >= counted);
}

/** For the first lane that may have another; it goes to the end of its queue. False when there is none. */
function takeOne(queue: Lane[], left: Slots, granted: Map<Lane, number>): boolean {
  for (let lane = queue.shift(); lane !== undefined; lane = queue.shift()) {
    const count = granted.get(lane) ?? 0;
    if (count >= lane.due || left.freeFor(lane) <= 0) continue;
    left.take(lane);
    granted.set(lane, count + 1);
    queue.push(lane);
    return true;
  }
  return false;
}
