import { identifier } from '@bascule/persistence';
import type { EntityManager } from 'typeorm';

export interface Projection {
  table: string;
  /** Primary key, by column name. */
  key: Record<string, unknown>;
  /** Version of the state, stored in the column `version`. */
  version: number;
  /** The other columns. Arrays and objects are written as JSON. */
  columns: Record<string, unknown>;
  /**
   * Revision of the handler, where it declares one: the table has the columns of {@link RevisedProjection}. Older code
   * updates `version` without them, so they tell which rows it wrote last.
   */
  revision?: number;
}

/** Marks of a row. They differ from its version and the reader's revision where older code wrote it last. */
export interface RevisedProjection {
  version: number;
  projectedVersion: number | null;
  projectedRevision: number | null;
}

/** SQL condition on a revised table, the same text as in a partial index of it. */
export const IS_OUTDATED = 'projected_version IS DISTINCT FROM version';

/** Whether code of this revision, or a later one, wrote the row's state. */
export const isProjectedBy = (row: RevisedProjection, revision: number): boolean =>
  row.projectedVersion === row.version && (row.projectedRevision ?? 0) >= revision;

/**
 * Upserts the newest state of a subject and sets `seen_at` to the current time. Rows that a rebuild could not confirm
 * are replaced by any event, whatever its version.
 */
export async function upsertProjection(
  manager: EntityManager,
  projection: Projection,
): Promise<void> {
  const { version, revision } = projection;
  const marks = { projected_version: version, projected_revision: revision };
  const values = {
    ...projection.key,
    version,
    ...projection.columns,
    ...(revision !== undefined && marks),
  };
  const names = Object.keys(values).map(identifier);
  const keys = Object.keys(projection.key).map(identifier);
  const table = identifier(projection.table);
  const updated = names.filter((name) => !keys.includes(name));
  const parameters = Object.values(values).map(parameter);
  await manager.query(
    `INSERT INTO ${table} AS kept (${names.join(', ')}, seen_at)
     VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}, clock_timestamp())
     ON CONFLICT (${keys.join(', ')}) DO UPDATE
     SET ${updated.map((name) => `${name} = excluded.${name}`).join(', ')}, seen_at = excluded.seen_at
     WHERE kept.version <= excluded.version OR kept.seen_at <
       (SELECT max(distrusted_before) FROM projection_state WHERE $${names.length + 1} = ANY (tables))`,
    [...parameters, projection.table],
  );
}

function parameter(value: unknown): unknown {
  const isJson =
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Date) &&
    !Buffer.isBuffer(value);
  return isJson ? JSON.stringify(value) : value;
}
