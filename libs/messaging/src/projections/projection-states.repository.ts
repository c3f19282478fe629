import { identifier } from '@bascule/persistence';
import type { DataSource, EntityManager } from 'typeorm';
import { FIRST_REVISION } from './projection-pattern.js';
import type { ProjectionSource } from './projection-sources.js';
import { IS_OUTDATED } from './upsert-projection.js';

export interface ProjectionProgress {
  topic: string;
  tables: string[];
  revision: number;
  builtAt: Date | null;
  requestedAt: Date | null;
  startedAt: Date | null;
  pass: number;
  records: string;
  failed: string;
  removed: string;
  newer: string;
}

/** Rebuild in progress. */
export interface BegunRebuild {
  /** Tables of earlier builds: others have no rows to confirm or remove. */
  tables: string[];
  /** Whether the operator accepts that rows are replaced by older versions, and that many are removed. */
  acceptsOlder: boolean;
}

export interface RowCounts {
  rows: number;
  unseen: number;
}

const ALL = `
  SELECT topic, tables, revision, built_at AS "builtAt", requested_at AS "requestedAt", started_at AS "startedAt",
    pass, records, failed, removed, newer
  FROM projection_state ORDER BY topic`;

const BEGIN = `
  INSERT INTO projection_state AS known (topic, tables, started_at, attempted_at, pass)
  VALUES ($1, $2, clock_timestamp(), clock_timestamp(), 1)
  ON CONFLICT (topic) DO UPDATE
  SET started_at = excluded.started_at, attempted_at = excluded.attempted_at, distrusted_before = NULL,
    confirming_before = NULL, pass = 1, records = 0, failed = 0, removed = 0, newer = 0,
    tables = CASE WHEN known.built_at IS NULL THEN excluded.tables ELSE known.tables END
  RETURNING tables, coalesce(older_accepted_at = requested_at, false) AS "acceptsOlder"`;

const FINISH = `
  UPDATE projection_state
  SET built_at = clock_timestamp(), tables = $2, removed = $3, revision = $4, newer = $5,
    started_at = NULL, distrusted_before = NULL, confirming_before = NULL, pass = 0,
    requested_at = CASE WHEN requested_at > started_at THEN requested_at END
  WHERE topic = $1`;

const FINISH_INCOMPLETE = `
  UPDATE projection_state
  SET started_at = NULL, distrusted_before = NULL, confirming_before = NULL, pass = 0,
    requested_at = CASE WHEN requested_at > started_at THEN requested_at END
  WHERE topic = $1 RETURNING built_at IS NOT NULL AND tables @> $2 AND revision >= $3 AS built`;

const SINCE = '(SELECT started_at FROM projection_state WHERE topic = $1)';

/** Rows that the last build could not update stay outdated, so another attempt waits longer. */
const IS_RESTED = `
  SELECT 1 FROM projection_state
  WHERE topic = $1 AND coalesce(attempted_at < clock_timestamp() -
    CASE WHEN failed + newer > 0 THEN interval '10 minutes' ELSE interval '1 minute' END, true)`;

const PART = 'ctid >= $2::tid AND ctid < $3::tid';
/** 128 MiB. */
const BLOCKS = 16_384;

/** State of each topic's projections; all times are the database's clock. */
export class ProjectionStatesRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly blocks = BLOCKS,
  ) {}

  all(): Promise<ProjectionProgress[]> {
    return this.dataSource.query(ALL);
  }

  /** Whether the projections of a topic were ever built from all of it; empty tables tell nothing before. */
  async isBuilt(topic: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      'SELECT 1 FROM projection_state WHERE topic = $1 AND built_at IS NOT NULL',
      [topic],
    );
    return rows.length > 0;
  }

  /**
   * Whether older code wrote rows since the last build, a minute after that began: older replicas may go on writing until
   * the upgrade ends. Each condition has an index.
   */
  async hasOutdated({ topic, tables, revision }: ProjectionSource): Promise<boolean> {
    if (revision === FIRST_REVISION) return false;
    const outdated = tables.map(
      (table) => `EXISTS (SELECT 1 FROM ${identifier(table)} WHERE ${IS_OUTDATED})
        OR EXISTS (SELECT 1 FROM ${identifier(table)} WHERE projected_revision < $2)`,
    );
    const rows: unknown[] = await this.dataSource.query(
      `${IS_RESTED} AND (${outdated.join(' OR ')})`,
      [topic, revision],
    );
    return rows.length > 0;
  }

  async begin(
    manager: EntityManager,
    { topic, tables }: Pick<ProjectionSource, 'topic' | 'tables'>,
  ): Promise<BegunRebuild> {
    const [begun]: BegunRebuild[] = await manager.query(BEGIN, [topic, [...tables]]);
    if (begun === undefined) throw new Error(`the build of ${topic} was not recorded`);
    return { ...begun, tables: begun.tables.filter((table) => tables.includes(table)) };
  }

  async count(
    topic: string,
    { records, failed }: { records: number; failed: number },
    manager: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    await manager.query('UPDATE projection_state SET records = $2, failed = $3 WHERE topic = $1', [
      topic,
      records,
      failed,
    ]);
  }

  /** Number of rows that no event confirmed since the rebuild began. */
  async countUnseen(topic: string, tables: readonly string[]): Promise<number> {
    return (await this.countRows(topic, tables)).unseen;
  }

  /** Number of rows, and of those that no event confirmed since the rebuild began. */
  async countRows(topic: string, tables: readonly string[]): Promise<RowCounts> {
    const counts = { rows: 0, unseen: 0 };
    for (const table of tables) {
      for (const [from, to] of await this.partsOf(this.dataSource.manager, table)) {
        const [part]: RowCounts[] = await this.dataSource.query(
          `SELECT count(*)::int AS rows, count(*) FILTER (WHERE seen_at < ${SINCE})::int AS unseen
           FROM ${identifier(table)} WHERE ${PART}`,
          [topic, from, to],
        );
        counts.rows += part?.rows ?? 0;
        counts.unseen += part?.unseen ?? 0;
      }
    }
    return counts;
  }

  /** Lets any event confirm rows that were not confirmed since the rebuild began; their state stays. */
  async confirmUnseen(manager: EntityManager, topic: string): Promise<void> {
    await manager.query(
      'UPDATE projection_state SET confirming_before = started_at, pass = 2 WHERE topic = $1',
      [topic],
    );
  }

  /** Lets any event replace rows that were not confirmed since the rebuild began. */
  async distrustUnseen(manager: EntityManager, topic: string): Promise<void> {
    await manager.query(
      'UPDATE projection_state SET distrusted_before = started_at, pass = 2 WHERE topic = $1',
      [topic],
    );
  }

  /**
   * Removes unconfirmed rows within a transaction; returns their number. A table is processed in parts: no index
   * covers `seen_at`, which every event writes, and a statement must stay short. A row that no event touches keeps its
   * place.
   */
  async removeUnseen(
    manager: EntityManager,
    topic: string,
    tables: readonly string[],
  ): Promise<number> {
    let removed = 0;
    for (const table of tables) {
      for (const [from, to] of await this.partsOf(manager, table)) {
        const [, rows]: [unknown, number] = await manager.query(
          `DELETE FROM ${identifier(table)} WHERE seen_at < ${SINCE} AND ${PART}`,
          [topic, from, to],
        );
        removed += rows;
      }
    }
    return removed;
  }

  async finish(
    manager: EntityManager,
    { topic, tables, revision }: ProjectionSource,
    { removed, newer }: { removed: number; newer: number },
  ): Promise<void> {
    await manager.query(FINISH, [topic, [...tables], removed, revision, newer]);
  }

  /** Splits a table into ranges of pages, end exclusive. */
  private async partsOf(
    manager: EntityManager,
    table: string,
  ): Promise<[from: string, to: string][]> {
    const rows: { blocks: number }[] = await manager.query(
      `SELECT (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int AS blocks`,
      [identifier(table)],
    );
    const parts: [string, string][] = [];
    for (let block = 0; block < (rows[0]?.blocks ?? 0); block += this.blocks) {
      parts.push([`(${block},0)`, `(${block + this.blocks},0)`]);
    }
    return parts;
  }

  /** Records a rebuild with failed events; true when an earlier build remains in use. */
  async finishIncomplete(
    manager: EntityManager,
    { topic, tables, revision }: ProjectionSource,
  ): Promise<boolean> {
    const [rows]: [{ built: boolean }[], number] = await manager.query(FINISH_INCOMPLETE, [
      topic,
      [...tables],
      revision,
    ]);
    return rows[0]?.built ?? false;
  }

  /** Requests a rebuild from the service's processes. Returns the topics concerned. */
  async request(
    topics: readonly string[],
    { acceptsOlder = false }: { acceptsOlder?: boolean } = {},
  ): Promise<string[]> {
    const [rows]: [{ topic: string }[], number] = await this.dataSource.query(
      `UPDATE projection_state
       SET requested_at = now(), older_accepted_at = CASE WHEN $2::boolean THEN now() END
       WHERE cardinality($1::text[]) = 0 OR topic = ANY ($1) RETURNING topic`,
      [[...topics], acceptsOlder],
    );
    return rows.map(({ topic }) => topic).sort();
  }
}
