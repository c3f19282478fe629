import type { DataSource } from 'typeorm';

/** Counts the stored answers by the `kid` of the key that encrypts them; reads the whole table. */
export async function answersByKey(dataSource: DataSource): Promise<Record<string, number>> {
  const rows: { header: string; count: number }[] = await dataSource.query(
    `SELECT split_part(answer, '.', 1) AS header, count(*)::integer AS count
     FROM idempotency_records WHERE expires_at > now() GROUP BY header`,
  );
  return Object.fromEntries(rows.map(({ header, count }) => [kidOf(header), count]));
}

function kidOf(header: string): string {
  const parsed: unknown = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
  return typeof parsed === 'object' && parsed !== null && 'kid' in parsed ? String(parsed.kid) : '';
}
