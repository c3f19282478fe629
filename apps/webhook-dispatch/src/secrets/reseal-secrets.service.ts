import type { DataSource } from 'typeorm';
import type { SecretCipher } from './secret-cipher.js';
import { secretContext } from './secret-context.js';

const AT_ONCE = 500;

interface SealedRow {
  id: string;
  webhookId: string;
  sealed: string;
}

interface SealedColumn {
  field: 'auth_header' | 'signing_secret';
  select: string;
  update: string;
}

/** The `kid`, which precedes the initialisation vector and the ciphertext. */
const kidOf = (column: string): string => `regexp_replace(${column}, '\\.[^.]*\\.[^.]*$', '')`;

const COLUMNS: readonly SealedColumn[] = [
  {
    field: 'signing_secret',
    select: `SELECT id, webhook_id AS "webhookId", sealed FROM webhook_signing_secrets
      WHERE id > $1 AND ${kidOf('sealed')} = ANY ($2) ORDER BY id LIMIT ${AT_ONCE}`,
    update: 'UPDATE webhook_signing_secrets SET sealed = $3 WHERE id = $1 AND sealed = $2',
  },
  {
    field: 'auth_header',
    select: `SELECT id, id AS "webhookId", auth_header_value AS sealed FROM webhooks
      WHERE id > $1 AND ${kidOf('auth_header_value')} = ANY ($2) ORDER BY id LIMIT ${AT_ONCE}`,
    update: 'UPDATE webhooks SET auth_header_value = $3 WHERE id = $1 AND auth_header_value = $2',
  },
];
const FIRST = '00000000-0000-0000-0000-000000000000';

const COUNT = `
  SELECT (SELECT count(*) FROM webhook_signing_secrets WHERE ${kidOf('sealed')} <> $1)::integer
    + (SELECT count(*) FROM webhooks WHERE ${kidOf('auth_header_value')} <> $1)::integer AS count`;

/** Counts the values that are not encrypted under the newest key. */
export async function secretsOfOtherKeys(
  dataSource: DataSource,
  { newest }: SecretCipher,
): Promise<number> {
  const rows: { count: number }[] = await dataSource.query(COUNT, [newest]);
  return rows[0]?.count ?? 0;
}

/**
 * Encrypts values of the older keys under the newest key, in batches, each value by itself and only if unchanged
 * meanwhile. The older keys can be removed afterwards. Returns the number of values.
 */
export async function resealSecrets(
  dataSource: DataSource,
  cipher: SecretCipher,
  stopping?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (const column of COLUMNS) count += await resealColumn(dataSource, cipher, column, stopping);
  return count;
}

async function resealColumn(
  dataSource: DataSource,
  cipher: SecretCipher,
  { field, select, update }: SealedColumn,
  stopping: AbortSignal | undefined,
): Promise<number> {
  let count = 0;
  for (let after = FIRST; ;) {
    const rows: SealedRow[] = await dataSource.query(select, [after, cipher.older]);
    for (const { id, webhookId, sealed } of rows) {
      if (stopping?.aborted) return count;
      const context = secretContext(webhookId, field);
      const resealed = cipher.seal(cipher.open(sealed, context), context);
      await dataSource.query(update, [id, sealed, resealed]);
      after = id;
      count += 1;
    }
    if (rows.length < AT_ONCE) return count;
  }
}
