import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Identifies parked events and dead letters by position and content: offsets restart on another log (a recreated
 * topic, another cluster, Kafka after the embedded log). A process of the previous version pauses when it has to park
 * an event.
 */
export class IdentifyRecordsByContent1796400000000 extends ForwardMigration {
  override async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['parked_events', 'dead_letters']) {
      await queryRunner.query(
        `CREATE UNIQUE INDEX ${table}_content_key ON ${table} (topic, partition, "offset", md5(value))`,
      );
      await queryRunner.query(`DROP INDEX ${table}_record_key`);
    }
  }
}
