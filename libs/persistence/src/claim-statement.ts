import { identifier } from './identifiers.js';

export interface ClaimOptions {
  table: string;
  /** Name of the primary key; `id` by default. */
  idColumn?: string;
  /** Columns to return, as SQL; all by default. */
  select?: string;
  /** Further condition, as SQL over the row's columns. Needs an index on `due_at` with the same condition. */
  where?: string;
  /** Bounds the rows of one holder in progress, so that one with many due rows leaves room for the others. */
  holders?: {
    /** Text column, which `select` has to return. Belongs into the index on `due_at`. */
    column: string;
    most: number;
  };
}

/**
 * Claims rows, oldest first, skipping locked ones. `$1`: lease in milliseconds, `$2`: number of rows, `$3`: holders that
 * are busy, where there is a column with holders.
 */
export function claimStatement(options: ClaimOptions): string {
  const table = identifier(options.table);
  const id = identifier(options.idColumn ?? 'id');
  const condition = options.where === undefined ? '' : ` AND (${options.where})`;
  const holder = options.holders === undefined ? undefined : identifier(options.holders.column);
  const free = holder === undefined ? '' : ` AND NOT (${holder} = ANY ($3::text[]))`;
  return `
    WITH due AS MATERIALIZED (
      SELECT ${id} AS claimed_id FROM ${table}
      WHERE due_at <= now()${condition}${free}
      ORDER BY due_at
      LIMIT $2
      FOR UPDATE SKIP LOCKED
    )
    UPDATE ${table} SET due_at = now() + $1 * interval '1 millisecond'
    FROM due WHERE ${id} = due.claimed_id
    RETURNING ${options.select ?? `${table}.*`}`;
}
