import type { EventEnvelope } from '@bascule/contracts';
import type { EntityManager } from 'typeorm';
import { UnacceptableRecordError } from '../envelope/parse-envelope.js';
import { INBOX_RETENTION_DAYS } from './inbox-days.js';
import type { InboxPartitions } from './inbox-partitions.js';

type Fact = Pick<EventEnvelope, 'id' | 'time'>;

/** Makes effects idempotent under redelivery. Projections compare versions instead. */
export class Inbox {
  constructor(private readonly partitions: InboxPartitions) {}

  /**
   * Records the effect of an event, as the first statement of the transaction of the effect; false if it is recorded
   * already. `effect` distinguishes several effects of one event.
   *
   * @throws UnacceptableRecordError when the event is older than the retention of the inbox
   */
  async once(manager: EntityManager, event: Fact, effect = ''): Promise<boolean> {
    return (await this.onceEach(manager, [event], effect)).length > 0;
  }

  /**
   * Records the effects of several events in one transaction; returns the events without an earlier record. Inserts in
   * one order, so that concurrent transactions do not deadlock.
   *
   * @throws UnacceptableRecordError as `once`, for all of them
   */
  async onceEach<Event extends Fact>(
    manager: EntityManager,
    events: readonly Event[],
    effect = '',
  ): Promise<Event[]> {
    const days = events.map(({ time }) => new Date(time).toISOString().slice(0, 10));
    for (const day of new Set(days)) {
      if (!(await this.partitions.ensure(day))) {
        throw new UnacceptableRecordError(
          `event of ${day} is older than the inbox's ${INBOX_RETENTION_DAYS} days`,
        );
      }
    }
    const inserted: { event_id: string }[] = await manager.query(
      `INSERT INTO inbox (day, event_id, effect)
       SELECT day, event_id, $3 FROM unnest($1::date[], $2::uuid[]) AS e (day, event_id)
       ORDER BY event_id ON CONFLICT DO NOTHING RETURNING event_id`,
      [days, events.map(({ id }) => id), effect],
    );
    const first = new Set(inserted.map(({ event_id }) => event_id));
    return events.filter(({ id }) => first.delete(id.toLowerCase()));
  }
}
