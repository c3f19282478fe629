import { identifier, literal } from '@bascule/persistence';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Table with weekly partitions, and a partition for the rest. */
export interface WeeklyTable {
  table: string;
  /** Partition column, and its value at the start of a week. */
  key: string;
  bound: (week: Date) => string;
}

@Injectable()
export class PartitionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async namesOf(table: string): Promise<string[]> {
    const rows: { name: string }[] = await this.dataSource.query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = to_regclass($1)`,
      [table],
    );
    return rows.map(({ name }) => name);
  }

  /** Creates a partition; rows of its week move there from the rest. */
  async create(
    { table, key, bound }: WeeklyTable,
    partition: { name: string; from: Date; to: Date },
  ): Promise<void> {
    const [parent, name] = [identifier(table), identifier(partition.name)];
    const rest = identifier(`${table}_rest`);
    const [from, to] = [literal(bound(partition.from)), literal(bound(partition.to))];
    await this.dataSource.transaction(async (manager) => {
      await manager.query(
        `SELECT pg_advisory_xact_lock(hashtext('webhook-partitions'), hashtext(current_schema()))`,
      );
      if (await exists(manager, partition.name)) return;
      // Writers wait and then find the partition: the rest would reject its rows. Readers wait too: with the earlier
      // partitions they would miss the moved rows after the commit.
      await manager.query(`LOCK TABLE ${parent} IN ACCESS EXCLUSIVE MODE`);
      await manager.query(`CREATE TABLE ${name} (LIKE ${parent} INCLUDING ALL)`);
      await manager.query(
        `WITH moved AS (DELETE FROM ${rest} WHERE ${key} >= ${from} AND ${key} < ${to} RETURNING *)
         INSERT INTO ${name} SELECT * FROM moved`,
      );
      await manager.query(
        `ALTER TABLE ${parent} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`,
      );
    });
  }

  async drop(name: string): Promise<void> {
    await this.dataSource.query(`DROP TABLE IF EXISTS ${identifier(name)}`);
  }

  /** Deletes rows of the rest partition that are older than the retention. */
  async clearRest(table: string, timeColumn: string, retentionDays: number): Promise<void> {
    const rest = identifier(`${table}_rest`);
    await this.dataSource.query(
      `DELETE FROM ${rest} WHERE ctid IN (
         SELECT ctid FROM ${rest} WHERE ${identifier(timeColumn)} < now() - $1 * interval '1 day'
         LIMIT 10000
       )`,
      [retentionDays],
    );
  }
}

async function exists(manager: EntityManager, name: string): Promise<boolean> {
  const rows: { found: string | null }[] = await manager.query(
    'SELECT to_regclass($1)::text AS found',
    [name],
  );
  return rows[0]?.found != null;
}
