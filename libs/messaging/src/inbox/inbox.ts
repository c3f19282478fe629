import type { EventEnvelope } from '@bascule/contracts';
import type { EntityManager } from 'typeorm';
import { UnacceptableRecordError } from '../envelope/parse-envelope.js';
import { INBOX_RETENTION_DAYS } from './inbox-days.js';
import type { InboxPartitions } from './inbox-partitions.js';

/** Makes a redelivered event have no second effect. Projections need it not: they compare versions. */
export class Inbox {
  constructor(private readonly partitions: InboxPartitions) {}

  /**
   * First thing in the transaction that holds the effect; false when the event has had it. `effect` tells apart several
   * effects of one event.
   * @throws UnacceptableRecordError when it is older than what the inbox remembers: whether it had its effect, nobody knows
   */
  async once(
    manager: EntityManager,
    event: Pick<EventEnvelope, 'id' | 'time'>,
    effect = '',
  ): Promise<boolean> {
    const day = new Date(event.time).toISOString().slice(0, 10);
    if (!(await this.partitions.ensure(day))) {
      throw new UnacceptableRecordError(
        `of ${day}, and events are remembered for ${INBOX_RETENTION_DAYS} days`,
      );
    }
    const inserted: unknown[] = await manager.query(
      `INSERT INTO inbox (day, event_id, effect) VALUES ($1, $2, $3)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [day, event.id, effect],
    );
    return inserted.length > 0;
  }
}
