import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inRandomOrder, isSaturated, shareSlots } from './share-slots.js';
import type { ClaimQueue } from './claim-queue.js';
import { Slots, type SlotLimits } from './slots.js';

const queueOf = (orgId: string, webhookId: string, due: number, host = webhookId): ClaimQueue => ({
  kind: 'regular',
  orgId,
  webhookId,
  host,
  due,
});
const slots = (limits: Partial<SlotLimits> = {}): Slots =>
  new Slots({ total: 12, perWebhook: 100, perHost: 100, perOrganisation: 100, ...limits });
const shares = (queues: ClaimQueue[], free: Slots): Record<string, number> =>
  Object.fromEntries(shareSlots(queues, free).map(({ webhookId, slots }) => [webhookId, slots]));

describe('sharing free slots out', () => {
  it.each<[string, ClaimQueue[], Partial<SlotLimits>, Record<string, number>]>([
    ['what is due when there is room', [queueOf('o', 'a', 2)], {}, { a: 2 }],
    [
      'by halves to two organisations',
      [queueOf('o', 'a', 99), queueOf('p', 'b', 99)],
      {},
      { a: 6, b: 6 },
    ],
    [
      'the same to one with many webhooks as to one with a single one',
      [queueOf('o', 'a', 9), queueOf('o', 'b', 9), queueOf('o', 'c', 9), queueOf('p', 'd', 9)],
      {},
      { a: 2, b: 2, c: 2, d: 6 },
    ],
    [
      'what one does not need to the other',
      [queueOf('o', 'a', 1), queueOf('p', 'b', 99)],
      {},
      { a: 1, b: 11 },
    ],
    ['no more to a webhook than it may have', [queueOf('o', 'a', 99)], { perWebhook: 3 }, { a: 3 }],
    [
      'no more to a host than it may have, whoever its webhooks belong to',
      [queueOf('o', 'a', 99, 'h'), queueOf('p', 'b', 99, 'h'), queueOf('q', 'c', 99)],
      { perHost: 4 },
      { a: 2, b: 2, c: 4 },
    ],
    [
      'no more to an organisation than it may have',
      [queueOf('o', 'a', 99), queueOf('o', 'b', 99)],
      { perOrganisation: 6 },
      { a: 3, b: 3 },
    ],
  ])('gives %s', (_, queues, limits, expected) => {
    expect(shares(queues, slots(limits))).toEqual(expected);
  });

  it('counts deliveries in flight', () => {
    const busy = slots({ perWebhook: 4 });
    const user = { webhookId: 'a', host: 'a', orgId: 'o' };
    for (let n = 0; n < 3; n += 1) busy.take(user);
    expect(shares([queueOf('o', 'a', 99)], busy)).toEqual({ a: 1 });
    busy.release(user);
    expect(shares([queueOf('o', 'a', 99)], busy)).toEqual({ a: 2 });
    expect(busy.free).toBe(10);
  });

  it('gives free slots to the organisation with the fewest in flight', () => {
    const busy = slots({ total: 3 });
    for (let n = 0; n < 2; n += 1) busy.take({ webhookId: 'a', host: 'a', orgId: 'o' });
    expect(shares([queueOf('o', 'a', 99), queueOf('p', 'b', 99)], busy)).toEqual({ b: 1 });
  });

  it('rotates single slots among organisations without any', () => {
    const queues = [queueOf('o', 'a', 99), queueOf('p', 'b', 99), queueOf('q', 'c', 99)];
    const winners = Array.from({ length: 200 }, () =>
      Object.keys(shares(inRandomOrder(queues), slots({ total: 1 }))).join(),
    );
    expect(new Set(winners)).toEqual(new Set(['a', 'b', 'c']));
  });

  it('never exceeds a limit, and leaves no usable slot free', () => {
    const queues = fc.array(
      fc.record({
        kind: fc.constant('regular' as const),
        webhookId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        orgId: fc.constantFrom('o', 'p', 'q'),
        host: fc.constantFrom('h', 'i'),
        due: fc.integer({ min: 1, max: 20 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(queues, (due) => {
        const limits = { total: 17, perWebhook: 5, perHost: 11, perOrganisation: 9 };
        const after = new Slots(limits);
        const unique = [...new Map(due.map((each) => [each.webhookId, each])).values()];
        const grants = shareSlots(unique, after);
        for (const { webhookId, slots: count } of grants) {
          const user = unique.find((each) => each.webhookId === webhookId);
          if (user === undefined) throw new Error('granted to nobody');
          expect(count).toBeLessThanOrEqual(user.due);
          for (let n = 0; n < count; n += 1) {
            expect(after.freeFor(user)).toBeGreaterThan(0);
            after.take(user);
          }
        }
        for (const user of unique) {
          const granted = grants.find(({ webhookId }) => webhookId === user.webhookId)?.slots ?? 0;
          expect(granted === user.due || after.freeFor(user) === 0).toBe(true);
        }
      }),
    );
  });
});

describe('slots are short', () => {
  it.each<[string, ClaimQueue[], Partial<SlotLimits>, boolean]>([
    ['not when all that is due got one', [queueOf('o', 'a', 2), queueOf('p', 'b', 3)], {}, false],
    ['when less was granted than is due', [queueOf('o', 'a', 9), queueOf('p', 'b', 9)], {}, true],
    ['when limits stand in the way', [queueOf('o', 'a', 9)], { perWebhook: 3 }, true],
    ['when more may be due than was counted', [queueOf('o', 'a', 10)], {}, true],
    ['not when nothing is due', [], {}, false],
  ])('%s', (_, queues, limits, expected) => {
    expect(isSaturated(queues, shareSlots(queues, slots(limits)), 10)).toBe(expected);
  });
});
