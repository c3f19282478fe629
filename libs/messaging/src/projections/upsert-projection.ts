import { identifier } from '@bascule/persistence';
import type { EntityManager } from 'typeorm';

export interface Projection {
  table: string;
  /** The columns of the primary key, by column name. */
  key: Record<string, unknown>;
  /** Of the state; the table keeps it in its column `version`. */
  version: number;
  /** The other columns. Arrays and objects are written as JSON. */
  columns: Record<string, unknown>;
}

/** Keeps the newest state of a thing: true when this one was newer than what the table had. */
export async function upsertProjection(
  manager: EntityManager,
  projection: Projection,
): Promise<boolean> {
  const values = { ...projection.key, version: projection.version, ...projection.columns };
  const names = Object.keys(values).map(identifier);
  const keys = Object.keys(projection.key).map(identifier);
  const table = identifier(projection.table);
  const updated = names.filter((name) => !keys.includes(name));
  const written: unknown[] = await manager.query(
    `INSERT INTO ${table} AS kept (${names.join(', ')})
     VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})
     ON CONFLICT (${keys.join(', ')}) DO UPDATE
     SET ${updated.map((name) => `${name} = excluded.${name}`).join(', ')}
     WHERE kept.version < excluded.version
     RETURNING 1`,
    Object.values(values).map(parameter),
  );
  return written.length > 0;
}

function parameter(value: unknown): unknown {
  const isJson =
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Date) &&
    !Buffer.isBuffer(value);
  return isJson ? JSON.stringify(value) : value;
}
