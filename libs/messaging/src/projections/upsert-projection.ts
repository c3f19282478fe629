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

/** The longest of these times confirms a row for the build in progress, also where the database's clock went back. */
const seenAt = (table: string, ...others: readonly string[]): string =>
  `greatest(clock_timestamp(), (SELECT max(started_at) FROM projection_state WHERE ${table} = ANY (tables))${others
    .map((other) => `, ${other}`)
    .join('')})`;

/**
 * Upserts the newest state of a subject and sets `seen_at` to the current time. An older state changes nothing, unless a
 * rebuild could not confirm the row: then it confirms it, or replaces it where the operator accepted older versions.
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
  const name = `$${names.length + 1}`;
  const written: unknown[] = await manager.query(
    `INSERT INTO ${table} AS kept (${names.join(', ')}, seen_at)
     VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}, ${seenAt(name)})
     ON CONFLICT (${keys.join(', ')}) DO UPDATE
     SET ${updated.map((each) => `${each} = excluded.${each}`).join(', ')},
       seen_at = greatest(kept.seen_at, excluded.seen_at)
     WHERE kept.version <= excluded.version OR kept.seen_at <
       (SELECT max(distrusted_before) FROM projection_state WHERE ${name} = ANY (tables))
     RETURNING 1`,
    [...parameters, projection.table],
  );
  if (written.length === 0) await confirm(manager, projection);
}

/** Confirms a row that is newer than the event, in the second pass of a rebuild. */
async function confirm(manager: EntityManager, { table, key }: Projection): Promise<void> {
  const isKey = Object.keys(key).map((name, index) => `${identifier(name)} = $${index + 2}`);
  await manager.query(
    `UPDATE ${identifier(table)} SET seen_at = ${seenAt('$1', 'seen_at')}
     WHERE ${isKey.join(' AND ')} AND seen_at <
       (SELECT max(confirming_before) FROM projection_state WHERE $1 = ANY (tables))`,
    [table, ...Object.values(key).map(parameter)],
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
