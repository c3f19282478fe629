import type { HistoryCategory, PagePosition } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { getAddress } from 'viem';
import { EXPIRED_UNFUNDED } from './expired-unfunded.js';
import { foundPayment, readPayments } from './payment-reader.repository.js';
import type { FoundPayment, StoredJson } from './payment-reader.repository.js';

export interface HistoryFilter {
  orgId: string;
  category: HistoryCategory;
  ownerAddress?: string;
  destinationAddress?: string;
  /** Beginning of an id: at least eight of its digits, hyphens optional. */
  idQuery?: string;
  label?: string;
}

export interface HistoryPage {
  payments: FoundPayment[];
  /** Null on the last page. */
  next: PagePosition | null;
}

/** Payments read by one statement. */
const BATCH = 25;
/** Ends a page early: custom actions make a payment a hundred times larger than usual. */
const MAX_BYTES = 1024 * 1024;
const UUID_DIGITS = 32;

/** Reads an organisation's payments, newest first. */
@Injectable()
export class PaymentHistoryRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Reads at most `limit` payments; fewer, with a next position, where they are large. */
  async find(
    filter: HistoryFilter,
    { limit, after }: { limit: number; after: PagePosition | null },
  ): Promise<HistoryPage> {
    const payments: FoundPayment[] = [];
    let [room, position] = [MAX_BYTES, after];
    while (payments.length < limit) {
      const wanted = Math.min(limit - payments.length, BATCH);
      const statement = historyStatement(filter, { limit: wanted + 1, after: position });
      const rows: StoredJson[] = await this.dataSource.query(statement.text, statement.values);
      for (const row of rows.slice(0, wanted)) {
        room -= row.payment.length;
        // A first payment is shown whatever its size, so that every page leads on.
        if (room < 0 && payments.length > 0) return { payments, next: position };
        const found = foundPayment(row);
        payments.push(found);
        position = positionOf(found);
      }
      if (rows.length <= wanted) return { payments, next: null };
    }
    return { payments, next: position };
  }
}

const positionOf = ({ payment }: FoundPayment): PagePosition => ({
  paymentId: payment.id,
  createdAt: payment.createdAt.toISOString(),
});

/**
 * Builds the statement of a page: the payments at its place in one index per category, then their parts. Planned at
 * each call, since the best index depends on the values.
 */
export function historyStatement(
  filter: HistoryFilter,
  { limit, after }: { limit: number; after: PagePosition | null },
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = conditionsOf(filter, bind);
  if (after !== null) {
    const [createdAt, id] = [bind(after.createdAt), bind(after.paymentId)];
    conditions.push(`(created_at, id) < (${createdAt}::timestamptz, ${id}::uuid)`);
  }
  const order = `ORDER BY created_at DESC, id DESC LIMIT ${bind(limit)}`;
  const source = sourceOf(filter, bind);
  const parts = (filter.category === 'ALL' ? [0, 1] : [0]).map(
    (expired) =>
      `(SELECT * FROM ${source} WHERE ${[...conditions, `${EXPIRED_UNFUNDED} = ${expired}`].join(' AND ')} ${order})`,
  );
  const page = `(SELECT * FROM (${parts.join(' UNION ALL ')}) parts ${order}) p`;
  return {
    text: `${readPayments(`FROM ${page}`)} ORDER BY "createdAt" DESC, id DESC`,
    values,
  };
}

type Bind = (value: unknown) => string;

function conditionsOf(filter: HistoryFilter, bind: Bind): string[] {
  const { orgId, ownerAddress: owner, destinationAddress: destination, label } = filter;
  return [
    `org_id = ${bind(orgId)}`,
    ...(owner === undefined ? [] : [`owner_address = ${bind(stored(owner))}`]),
    ...(destination === undefined ? [] : [`destination_address = ${bind(stored(destination))}`]),
    ...(label === undefined ? [] : [`quote_request->>'label' = ${bind(label)}`]),
  ];
}

/** Rows store addresses checksummed. */
const stored = (address: string): string => getAddress(address.toLowerCase());

/**
 * Without `OFFSET 0` the planner may walk all payments of the organisation in the order of the page. Eight digits of a
 * UUIDv7 are about a minute.
 */
function sourceOf({ orgId, idQuery }: HistoryFilter, bind: Bind): string {
  if (idQuery === undefined) return 'payments';
  const digits = idQuery.replaceAll('-', '');
  const [first, last] = ['0', 'f'].map((digit) => bind(digits.padEnd(UUID_DIGITS, digit)));
  const own = `org_id = ${bind(orgId)}`;
  return `(SELECT * FROM payments WHERE ${own} AND id BETWEEN ${first}::uuid AND ${last}::uuid OFFSET 0) named`;
}
