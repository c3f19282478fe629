import { TOPICS } from '@bascule/contracts';
import { assertLeaseHeld, type LeaseFence } from '@bascule/persistence';
import type { Logger } from '@bascule/process';
import type { DataSource } from 'typeorm';
import { DeadLetterWriter, UNPUBLISHED_PARTITION } from '../parked/dead-letter-writer.js';
import type { Outbox } from '../outbox/outbox.js';
import type { OutboxRecord } from './outbox-record.js';

/** Turns outbox rows that the transport rejects into dead letters, so that later rows are published. */
export class RefusedRows {
  private readonly writer: DeadLetterWriter;

  constructor(
    private readonly dataSource: DataSource,
    outbox: Pick<Outbox, 'append'>,
    service: string,
    private readonly logger: Logger,
  ) {
    this.writer = new DeadLetterWriter(outbox, service);
  }

  /** @throws LeaseLostError when another relay leads */
  async deadLetter(
    rows: readonly OutboxRecord[],
    reason: string,
    fence: LeaseFence,
  ): Promise<void> {
    for (const row of rows) {
      await this.dataSource.transaction(async (manager) => {
        await assertLeaseHeld(manager, fence);
        const [, deleted]: [unknown, number] = await manager.query(
          'DELETE FROM outbox WHERE id = $1',
          [row.id],
        );
        // Another relay was first, or the row is itself the event about a dead letter.
        if (deleted === 0 || row.topic === TOPICS.deadLetter.name) return;
        await this.writer.write(
          manager,
          {
            topic: row.topic,
            partition: UNPUBLISHED_PARTITION,
            offset: row.id,
            key: row.key,
            headers: {},
            value: Buffer.from(row.envelope, 'utf8'),
            attempts: 1,
          },
          reason,
        );
      });
      const { id, topic, key } = row;
      this.logger.error({ outbox_id: id, topic, key, reason }, 'event rejected by the transport');
    }
  }
}
