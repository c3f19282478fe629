import type { PagePosition } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EXPIRED_UNFUNDED } from './expired-unfunded.js';
import { foundPayment, readPayments } from './payment-reader.repository.js';
import type { FoundPayment, StoredJson } from './payment-reader.repository.js';

/** Age at which an empty wallet is read again: transfers of a token listed later leave no fact. */
const EMPTY_FOR = '1 day';

/** A payment's place in the list, newest first. */
export interface OwnerPayment extends PagePosition {
  /** The wallet had no money on any chain at this version of the payment. */
  isKnownEmpty: boolean;
}

export interface OwnersQuery {
  orgId: string;
  /** Checksummed. */
  owners: readonly string[];
  after: PagePosition | null;
  limit: number;
}

/** One range of one index per owner and category. */
export const LIST_OWNER_PAYMENTS = `
SELECT page.id AS "paymentId", page.created_at AS "createdAt",
  empty.payment_id IS NOT NULL AS "isKnownEmpty"
FROM (
  SELECT recent.* FROM unnest($2::text[]) AS owner(address)
  CROSS JOIN (VALUES (0), (1)) AS category(expired)
  CROSS JOIN LATERAL (
    SELECT id, created_at, version FROM payments
    WHERE org_id = $1 AND owner_address = owner.address AND ${EXPIRED_UNFUNDED} = category.expired
      AND (created_at, id) < ($3, $4)
    ORDER BY created_at DESC, id DESC LIMIT $5
  ) recent
  ORDER BY recent.created_at DESC, recent.id DESC LIMIT $5
) page
LEFT JOIN empty_wallets empty ON empty.payment_id = page.id AND empty.version = page.version
  AND empty.read_at > now() - interval '${EMPTY_FOR}'
ORDER BY page.created_at DESC, page.id DESC`;

const READ_ALL = readPayments('FROM payments p WHERE p.id = ANY($1)');

/** Reads the payments of owners, newest first. */
@Injectable()
export class OwnerPaymentsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async list({ orgId, owners, after, limit }: OwnersQuery): Promise<OwnerPayment[]> {
    const rows: (Omit<OwnerPayment, 'createdAt'> & { createdAt: Date })[] =
      await this.dataSource.query(LIST_OWNER_PAYMENTS, [
        orgId,
        owners,
        after?.createdAt ?? 'infinity',
        after?.paymentId ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
        limit,
      ]);
    return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  }

  /** In the order of the ids. */
  async read(ids: readonly string[]): Promise<FoundPayment[]> {
    if (ids.length === 0) return [];
    const rows: StoredJson[] = await this.dataSource.query(READ_ALL, [ids]);
    const found = new Map(rows.map((row) => foundPayment(row)).map((one) => [one.payment.id, one]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}
