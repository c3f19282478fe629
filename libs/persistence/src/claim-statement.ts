import { identifier } from './identifiers.js';

export interface ClaimOptions {
  table: string;
  /** `id` by default. */
  idColumn?: string;
  /** What is returned of a row: SQL, all columns by default. */
  select?: string;
  /** A further condition: SQL over the row's columns. An index on `due_at` with the same condition serves the claim. */
  where?: string;
}

/** `$1`: lease in milliseconds, `$2`: how many rows. Oldest first, passing over what others are claiming. */
export function claimStatement(options: ClaimOptions): string {
  const table = identifier(options.table);
  const id = identifier(options.idColumn ?? 'id');
  const condition = options.where === undefined ? '' : ` AND (${options.where})`;
  return `
    WITH due AS MATERIALIZED (
      SELECT ${id} AS claimed_id FROM ${table}
      WHERE due_at <= now()${condition}
      ORDER BY due_at
      LIMIT $2
      FOR UPDATE SKIP LOCKED
    )
    UPDATE ${table} SET due_at = now() + $1 * interval '1 millisecond'
    FROM due WHERE ${id} = due.claimed_id
    RETURNING ${options.select ?? `${table}.*`}`;
}
