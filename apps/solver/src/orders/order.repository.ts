import { parseOrder, serializeOrder } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Hex } from 'viem';
import type { Route } from '../assets/route.js';
import type { SolverOrderStatus } from '../life-cycle/order-status.js';

/** Stored order. */
export interface StoredOrder {
  id: Hex;
  order: Order;
  status: SolverOrderStatus;
  /** Names of chains; null for an unknown chain. */
  origin: string;
  destination: string | null;
  output: bigint | null;
  fillAttempts: number;
  claimAttempts: number;
  /** Looks in a row that could not fill it. */
  retries: number;
  /** Time since the last change of status. */
  ageMs: number;
}

interface OrderRow {
  id: Hex;
  body: unknown;
  status: SolverOrderStatus;
  origin: string;
  destination: string | null;
  output_amount: string | null;
  fill_attempts: number;
  claim_attempts: number;
  retries: number;
  age_ms: number;
}

export interface OrderChange {
  from: readonly SolverOrderStatus[];
  to: SolverOrderStatus;
  /** Delay until the order is due again; never without it. */
  dueInMs?: number;
  reason?: string;
  /** Number of the attempt that the change records; refused unless it is the next. */
  fillAttempt?: number;
  claimAttempt?: number;
}

/** Order to fill, as it was found. */
export interface SeenOrder {
  id: Hex;
  order: Order;
  route: Pick<Route, 'origin' | 'destination'>;
  /** Output of the fill. */
  output: bigint;
}

/** Rows of one statement. */
const ROWS_AT_ONCE = 1_000;

/** Reads and writes orders. */
@Injectable()
export class OrderRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(id: Hex): Promise<StoredOrder | null> {
    const rows: OrderRow[] = await this.dataSource.query(
      `SELECT id, body, status, origin, destination, output_amount, fill_attempts, claim_attempts,
         retries, extract(epoch FROM now() - updated_at)::float8 * 1000 AS age_ms
       FROM orders WHERE id = $1`,
      [id],
    );
    return rows[0] ? knownOrder(rows[0]) : null;
  }

  /** Returns the last block of a chain whose orders were read; null before the first scan. */
  async scannedBlock(chain: string): Promise<bigint | null> {
    const rows: { block_number: string | null }[] = await this.dataSource.query(
      'SELECT block_number FROM order_cursors WHERE chain = $1',
      [chain],
    );
    const block = rows[0]?.block_number ?? null;
    return block === null ? null : BigInt(block);
  }

  /** Inserts orders, many by one statement; an existing one changes only from `GONE`. */
  async insert(manager: EntityManager, seen: readonly SeenOrder[], dueInMs: number): Promise<void> {
    for (let start = 0; start < seen.length; start += ROWS_AT_ONCE) {
      const rows = seen.slice(start, start + ROWS_AT_ONCE).map(({ id, order, route, output }) => ({
        ...{ id, origin: route.origin, destination: route.destination },
        output_token: order.outputToken.toLowerCase(),
        output_amount: output.toString(),
        body: serializeOrder(order),
      }));
      await manager.query(
        `INSERT INTO orders AS kept
           (id, origin, destination, output_token, output_amount, body, status, due_at)
         SELECT DISTINCT ON (id) id, origin, destination, output_token, output_amount, body, 'SEEN',
           now() + $2 * interval '1 millisecond'
         FROM jsonb_to_recordset($1::jsonb) AS seen(id text, origin text, destination text,
           output_token text, output_amount numeric, body jsonb)
         ORDER BY id
         ON CONFLICT (id) DO UPDATE
           SET status = excluded.status, due_at = excluded.due_at, updated_at = now(),
             retries = 0, is_reserving = true
           WHERE kept.status = 'GONE'`,
        [JSON.stringify(rows), dueInMs],
      );
    }
  }

  /** Returns false when the order has none of the change's starting statuses, or another pass made its attempt. */
  async change(manager: EntityManager, id: Hex, change: OrderChange): Promise<boolean> {
    const [, changed]: [unknown, number] = await manager.query(
      `UPDATE orders SET status = $3, reason = coalesce($4, reason),
         fill_attempts = coalesce($5, fill_attempts), claim_attempts = coalesce($6, claim_attempts),
         due_at = now() + $7::float8 * interval '1 millisecond', updated_at = now(),
         retries = 0, is_reserving = true
       WHERE id = $1 AND status = ANY($2)
         AND coalesce(fill_attempts = $5::int - 1, true)
         AND coalesce(claim_attempts = $6::int - 1, true)`,
      [
        id,
        change.from,
        change.to,
        change.reason ?? null,
        change.fillAttempt ?? null,
        change.claimAttempt ?? null,
        change.dueInMs ?? null,
      ],
    );
    return changed > 0;
  }

  changeNow(id: Hex, change: OrderChange): Promise<boolean> {
    return this.change(this.dataSource.manager, id, change);
  }

  /** Postpones the next run, whatever the status. */
  async postpone(id: Hex, ms: number): Promise<void> {
    await this.dataSource.query(
      `UPDATE orders SET due_at = now() + $2 * interval '1 millisecond'
       WHERE id = $1 AND due_at IS NOT NULL`,
      [id, ms],
    );
  }

  /** Postpones a seen order that could not be filled. */
  async postponeFill(id: Hex, ms: number, isReserving: boolean): Promise<void> {
    await this.dataSource.query(
      `UPDATE orders SET due_at = now() + $2 * interval '1 millisecond', retries = retries + 1,
         is_reserving = $3
       WHERE id = $1 AND due_at IS NOT NULL AND status = 'SEEN'`,
      [id, ms, isReserving],
    );
  }
}

const knownOrder = (row: OrderRow): StoredOrder => ({
  id: row.id,
  order: parseOrder(row.body),
  status: row.status,
  origin: row.origin,
  destination: row.destination,
  output: row.output_amount === null ? null : BigInt(row.output_amount),
  fillAttempts: row.fill_attempts,
  claimAttempts: row.claim_attempts,
  retries: row.retries,
  ageMs: row.age_ms,
});
