import type { DataSource, EntityManager } from 'typeorm';

interface StoredPayments {
  orgId: string;
  status?: 'PENDING' | 'COMPLETE';
  funded?: boolean;
  /** Null for a secret key. */
  visitor: string | null;
  count: number;
}

/** Stores payments that count for a quota and are none otherwise, by one statement. */
export async function insertUnfunded(
  database: DataSource | EntityManager,
  { orgId, status = 'PENDING', funded = false, visitor, count }: StoredPayments,
): Promise<void> {
  await database.query(
    `INSERT INTO payments (id, org_id, status, funded, visitor, version, created_at, updated_at,
       initiate_fund_by, declaration_expires_at, owner_chain, owner_address, destination_address,
       wallet_address, declaration, declaration_hash, plan, quoted, quote_request, current_prices,
       price_currency, decimals)
     SELECT gen_random_uuid(), $1, $2, $3, $5, 1, now(), now(),
       now() + interval '1 hour' + each * interval '1 second', now(), 'alphanet', '0x1', '0x2',
       each::text, '{}', '0x', '{}', '{}', '{}', '{}', 'usd', '{}'
     FROM generate_series(1, $4::int) AS each`,
    [orgId, status, funded, count, visitor],
  );
}
