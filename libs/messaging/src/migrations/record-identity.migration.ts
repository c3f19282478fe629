import { ForwardMigration } from '@bascule/persistence';
import type { QueryRunner } from 'typeorm';

/**
 * Offsets begin again on another log: a topic made anew, another cluster, Kafka after the embedded log. So what was
 * parked or given up is known by its place and what it says. A process of the version before pauses when it has to park
 * something, and leaves it to its successor.
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
