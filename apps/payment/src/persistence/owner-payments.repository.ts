import type { PagePosition } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EXPIRED_UNFUNDED } from './expired-unfunded.js';
import { HOLDS_FUNDS } from './holds-funds.js';
import { foundPayment, readPayments } from './payment-reader.repository.js';
import type { FoundPayment, StoredJson } from './payment-reader.repository.js';

/** Age at which an empty wallet is read again: transfers of a token listed later leave no fact. */
const EMPTY_FOR = '1 day';
/** Longer than any transaction that changes a payment, whose time is that of its beginning. */
const TRANSACTION_MARGIN = '1 minute';

/** A payment's place in the list, newest first. */
export interface OwnerPayment extends PagePosition {
  /** The wallet had no money on any chain at this version of the payment. */
  isKnownEmpty: boolean;
  /** Has held money since before the start of the list. */
  isHolding: boolean;
}

export interface OwnersQuery {
  orgId: string;
  /** Checksummed. */
  owners: readonly string[];
  startedAt: Date;
  after: PagePosition | null;
  limit: number;
}

/** One range of an index per owner and category. */
const listOf = (categories: string, condition: string): string => `
SELECT page.id AS "paymentId", page.created_at AS "createdAt",
  empty.payment_id IS NOT NULL AS "isKnownEmpty",
  page.holds_funds AND page.updated_at <= $6 AS "isHolding"
FROM (
  SELECT recent.* FROM unnest($2::text[]) AS owner(address)
  CROSS JOIN (VALUES ${categories}) AS category(expired)
  CROSS JOIN LATERAL (
    SELECT id, created_at, updated_at, version, ${HOLDS_FUNDS} AS holds_funds FROM payments
    WHERE org_id = $1 AND owner_address = owner.address AND ${condition}
      AND (created_at, id) < ($3, $4)
    ORDER BY created_at DESC, id DESC LIMIT $5
  ) recent
  ORDER BY recent.created_at DESC, recent.id DESC LIMIT $5
) page
LEFT JOIN empty_wallets empty ON empty.payment_id = page.id AND empty.version = page.version
  AND empty.read_at > now() - interval '${EMPTY_FOR}'
ORDER BY page.created_at DESC, page.id DESC`;

/** Payments that hold money by their facts. */
export const LIST_HOLDING = listOf('(0)', HOLDS_FUNDS);
export const LIST_ALL = listOf('(0), (1)', `${EXPIRED_UNFUNDED} = category.expired`);

const READ_ALL = readPayments('FROM payments p WHERE p.id = ANY($1)');

/** Reads the payments of owners, newest first. */
@Injectable()
export class OwnerPaymentsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Time by the database's clock, in whole seconds, before which every committed change is visible. */
  async settledTime(): Promise<Date> {
    const [row]: { time: Date }[] = await this.dataSource.query(
      `SELECT date_trunc('second', now() - interval '${TRANSACTION_MARGIN}') AS time`,
    );
    if (row === undefined) throw new Error('expected a row with the time');
    return row.time;
  }

  /** Place of a payment in the list; null for one that is not in it. */
  async positionOf(
    { orgId, owners }: Pick<OwnersQuery, 'orgId' | 'owners'>,
    paymentId: string,
  ): Promise<PagePosition | null> {
    const [row]: { created_at: Date }[] = await this.dataSource.query(
      'SELECT created_at FROM payments WHERE id = $1 AND org_id = $2 AND owner_address = ANY($3)',
      [paymentId, orgId, owners],
    );
    return row === undefined ? null : { paymentId, createdAt: row.created_at.toISOString() };
  }

  listHolding(query: OwnersQuery): Promise<OwnerPayment[]> {
    return this.list(LIST_HOLDING, query);
  }

  listAll(query: OwnersQuery): Promise<OwnerPayment[]> {
    return this.list(LIST_ALL, query);
  }

  /** In the order of the ids. */
  async read(ids: readonly string[]): Promise<FoundPayment[]> {
    if (ids.length === 0) return [];
    const rows: StoredJson[] = await this.dataSource.query(READ_ALL, [ids]);
    const found = new Map(rows.map((row) => foundPayment(row)).map((one) => [one.payment.id, one]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  private async list(statement: string, query: OwnersQuery): Promise<OwnerPayment[]> {
    const { orgId, owners, startedAt, after, limit } = query;
    const rows: (Omit<OwnerPayment, 'createdAt'> & { createdAt: Date })[] =
      await this.dataSource.query(statement, [
        orgId,
        owners,
        after?.createdAt ?? 'infinity',
        after?.paymentId ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
        limit,
        startedAt,
      ]);
    return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  }
}
