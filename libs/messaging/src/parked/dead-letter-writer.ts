import { type DeadLetterState, TOPICS } from '@bascule/contracts';
import type { EntityManager } from 'typeorm';
import type { Outbox } from '../outbox/outbox.js';
import type { ParkedRow } from './parked-events.repository.js';

const INSERT = `
  INSERT INTO dead_letters AS known (topic, partition, "offset", key, headers, value, attempts, reason)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (topic, partition, "offset", md5(value)) DO UPDATE
  SET attempts = excluded.attempts, reason = excluded.reason, dead_at = now(), deaths = known.deaths + 1,
    replayed_at = NULL, resolved_by = NULL
  WHERE known.replayed_at IS NOT NULL
  RETURNING id, deaths, dead_at AS "deadAt"`;

/** Partition of dead letters that were never published; their offset is the id of their row in the outbox. */
export const UNPUBLISHED_PARTITION = -1;

/** Longest key in the event about a dead letter. */
const MAX_KEY_LENGTH = 1_024;

interface Inserted {
  id: string;
  deaths: number;
  deadAt: Date;
}

/** Writes a dead letter: the row for operators and the event for monitoring. */
export class DeadLetterWriter {
  constructor(
    private readonly outbox: Pick<Outbox, 'append'>,
    private readonly service: string,
  ) {}

  /** Writes within a transaction; redelivery of a waiting or discarded dead letter changes nothing. */
  async write(manager: EntityManager, row: Omit<ParkedRow, 'id'>, reason: string): Promise<void> {
    const [inserted]: Inserted[] = await manager.query(INSERT, [
      row.topic,
      row.partition,
      row.offset,
      row.key,
      JSON.stringify(row.headers),
      row.value,
      row.attempts,
      reason,
    ]);
    if (inserted !== undefined) await this.publish(manager, row, reason, inserted);
  }

  private async publish(
    manager: EntityManager,
    { topic, partition, offset, key, attempts }: Omit<ParkedRow, 'id'>,
    reason: string,
    { id, deaths, deadAt }: Inserted,
  ): Promise<void> {
    const { service } = this;
    const data: DeadLetterState = {
      version: deaths,
      service,
      id,
      topic,
      partition,
      offset,
      key: key.slice(0, MAX_KEY_LENGTH),
      attempts,
      reason,
      dead_at: deadAt.toISOString(),
    };
    await this.outbox.append(manager, {
      topic: TOPICS.deadLetter,
      type: 'dead-letter.recorded',
      key: `${service}/${id}`,
      data,
    });
  }
}
