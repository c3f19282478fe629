import type { EntityManager, EntitySubscriberInterface } from 'typeorm';
import { createEnvelope, type NewEvent, type Origin } from '../envelope/envelope.js';
import { payloadBytesOf } from '../transport/record-size.js';
import type { RelayWaker } from './relay-waker.js';

/** Row for a hand-written statement: `INSERT INTO outbox (topic, key, envelope) …`. */
export interface PreparedOutboxRow {
  topic: string;
  key: string;
  envelope: string;
}

/** Event larger than its topic allows; thrown before commit, so that its transaction fails. */
export class EventTooLargeError extends Error {
  constructor({ topic, type, key }: NewEvent, bytes: number) {
    super(`${type} of ${key} has ${bytes} bytes, ${topic.name} carries ${topic.maxMessageBytes}`);
    this.name = 'EventTooLargeError';
  }
}

const APPENDED = 'basculeOutboxAppended';

/**
 * Appends events that are published once their transaction commits. Insert or lock the row of the subject first, so
 * that outbox ids follow the order of the events of one key.
 */
export class Outbox {
  constructor(
    private readonly origin: Origin,
    private readonly waker: Pick<RelayWaker, 'wake'>,
  ) {}

  /** Appends events in order, within the manager's transaction; its commit wakes the relay. */
  async append(manager: EntityManager, ...events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map((event) => this.outboxRow(event));
    await manager.query(
      `INSERT INTO outbox (topic, key, envelope)
        SELECT topic, key, envelope
        FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS e (topic, key, envelope, n)
        ORDER BY n`,
      [
        rows.map(({ topic }) => topic),
        rows.map(({ key }) => key),
        rows.map(({ envelope }) => envelope),
      ],
    );
    if (manager.queryRunner?.isTransactionActive) manager.queryRunner.data[APPENDED] = true;
    else this.wakeAfterCommit();
  }

  /**
   * Prepares a row for a hand-written statement; call {@link wakeAfterCommit} after it.
   *
   * @throws EventTooLargeError when the event exceeds the limit of its topic
   */
  outboxRow(event: NewEvent): PreparedOutboxRow {
    const envelope = JSON.stringify(createEnvelope(event, this.origin));
    const bytes = payloadBytesOf(event.key, envelope);
    if (bytes > event.topic.maxMessageBytes) throw new EventTooLargeError(event, bytes);
    return { topic: event.topic.name, key: event.key, envelope };
  }

  /** Wakes the relay; calls are coalesced. A forgotten call delays the event by one poll interval. */
  wakeAfterCommit(): void {
    this.waker.wake();
  }

  /** Subscriber for the data source, so that a commit wakes the relay. */
  subscriber(): EntitySubscriberInterface {
    return {
      afterTransactionCommit: ({ queryRunner }) => {
        if (queryRunner.data[APPENDED] !== true) return;
        queryRunner.data[APPENDED] = false;
        this.wakeAfterCommit();
      },
      afterTransactionRollback: ({ queryRunner }) => {
        queryRunner.data[APPENDED] = false;
      },
    };
  }
}
