import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Deposit } from '../life-cycle/payment-record.js';
import type { StoredDeposit } from './payment-row.js';

/** Sums that a payment is read with; the least valuable ones beyond that are left out. */
const MAX_SUMS = 120;
/** Rows of one statement, far below its time limit. */
const ROWS_AT_ONCE = 5_000;

/**
 * Sums of a payment's small deposits. The deposits of one sum agree in everything that its payment's life depends on:
 * token, finality, verdict about the sender, and the side of each deadline and of the newest withdrawal.
 */
const READ_SUMS = `
WITH last_withdrawals AS (
  SELECT chain, max((landed->>'blockNumber')::bigint) AS block FROM withdrawals
  WHERE payment_id = $1 AND landed IS NOT NULL AND order_id IS NULL GROUP BY chain
)
SELECT min(d.id::text) AS id, d.chain, d.token, sum(d.amount)::text AS amount,
  max(d.decimals) AS decimals,
  trim_scale(round(sum(d.amount * d.usd_price) / sum(d.amount), 18))::text AS "usdPrice",
  NULL AS sender, max(d.transaction_hash) AS "transactionHash", '' AS position,
  min(d.block_number)::text AS "blockNumber", max(d.block_hash) AS "blockHash",
  to_json(max(d.block_timestamp)) AS "blockTimestamp", d.confirmed,
  json_build_object('count', count(*), 'isSanctioned', s.sanctioned) AS sum
FROM deposits d
JOIN payments p ON p.id = d.payment_id
LEFT JOIN sender_screenings s ON s.payment_id = d.payment_id AND s.address = lower(d.sender)
LEFT JOIN last_withdrawals w ON w.chain = d.chain
WHERE d.payment_id = $1 AND d.is_summed
GROUP BY d.chain, d.token, d.confirmed, s.sanctioned, d.usd_price IS NULL,
  d.block_number > coalesce(w.block, -1),
  d.block_timestamp > p.initiate_fund_by, d.block_timestamp > p.declaration_expires_at
ORDER BY max((p.decimals ? d.token)::int) DESC, s.sanctioned IS TRUE DESC,
  sum(d.amount * d.usd_price / 10::numeric ^ d.decimals) DESC NULLS LAST, min(d.id::text)
LIMIT ${MAX_SUMS}`;

/** Keeps the small deposits of payments that have many: one row each, read as sums. The payment must be locked. */
@Injectable()
export class DepositSumsRepository {
  async read(manager: EntityManager, paymentId: string): Promise<StoredDeposit[]> {
    return manager.query(READ_SUMS, [paymentId]);
  }

  /** Stores new deposits as parts of sums; one that is stored already stays as it is. */
  async add(
    manager: EntityManager,
    paymentId: string,
    deposits: readonly Deposit[],
  ): Promise<void> {
    for (let start = 0; start < deposits.length; start += ROWS_AT_ONCE) {
      const rows = deposits.slice(start, start + ROWS_AT_ONCE);
      const column = (of: (deposit: Deposit) => unknown) => rows.map(of);
      await manager.query(
        `INSERT INTO deposits (id, payment_id, chain, token, amount, decimals, usd_price, sender,
           transaction_hash, position, block_number, block_hash, block_timestamp, confirmed, is_summed)
         SELECT id, $1, chain, token, amount, decimals, usd_price, sender, transaction_hash,
           position, block_number, block_hash, block_timestamp, false, true
         FROM unnest($2::uuid[], $3::text[], $4::text[], $5::numeric[], $6::smallint[],
           $7::numeric[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::text[],
           $13::timestamptz[]) AS row(id, chain, token, amount, decimals, usd_price, sender,
           transaction_hash, position, block_number, block_hash, block_timestamp)
         ON CONFLICT (payment_id, chain, transaction_hash, position, block_hash) DO NOTHING`,
        [
          paymentId,
          column(({ id }) => id),
          column(({ chain }) => chain),
          column(({ token }) => token),
          column(({ amount }) => amount.toString()),
          column(({ decimals }) => decimals),
          column(({ usdPrice }) => usdPrice),
          column(({ sender }) => sender),
          column(({ transactionHash }) => transactionHash),
          column(({ position }) => position),
          column(({ blockNumber }) => blockNumber.toString()),
          column(({ blockHash }) => blockHash),
          column(({ blockTimestamp }) => blockTimestamp),
        ],
      );
    }
    await this.mark(manager, paymentId);
  }

  /** Makes single deposits parts of sums. */
  async absorb(
    manager: EntityManager,
    paymentId: string,
    deposits: readonly Deposit[],
  ): Promise<void> {
    if (deposits.length === 0) return;
    await manager.query('UPDATE deposits SET is_summed = true WHERE id = ANY($1)', [
      deposits.map(({ id }) => id),
    ]);
    await this.mark(manager, paymentId);
  }

  /** Transfers of a chain's blocks that are part of sums, as `<chain>/<transaction>/<position>/<block hash>`. */
  async known(
    manager: EntityManager,
    paymentId: string,
    chain: string,
    blockHashes: readonly string[],
  ): Promise<Set<string>> {
    const rows: { key: string }[] = await manager.query(
      `SELECT chain || '/' || transaction_hash || '/' || position || '/' || block_hash AS key FROM deposits
       WHERE payment_id = $1 AND chain = $2 AND is_summed AND block_hash = ANY($3)`,
      [paymentId, chain, blockHashes],
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** Marks the chain's deposits up to a height as final, and returns their number. */
  async confirm(
    manager: EntityManager,
    paymentId: string,
    chain: string,
    upTo: bigint,
  ): Promise<number> {
    const [, confirmed]: [unknown, number] = await manager.query(
      `UPDATE deposits SET confirmed = true
       WHERE payment_id = $1 AND chain = $2 AND block_number <= $3 AND is_summed AND NOT confirmed`,
      [paymentId, chain, upTo.toString()],
    );
    return confirmed;
  }

  /** Removes the chain's deposits from a height on, after a reorg, and returns their number. */
  async forget(
    manager: EntityManager,
    paymentId: string,
    chain: string,
    from: bigint,
  ): Promise<number> {
    const [, forgotten]: [unknown, number] = await manager.query(
      `DELETE FROM deposits WHERE payment_id = $1 AND chain = $2 AND block_number >= $3 AND is_summed`,
      [paymentId, chain, from.toString()],
    );
    return forgotten;
  }

  /** The payment is read with sums from now on. */
  private async mark(manager: EntityManager, paymentId: string): Promise<void> {
    await manager.query(
      `UPDATE payments SET summed_deposits = '[]' WHERE id = $1 AND summed_deposits IS NULL`,
      [paymentId],
    );
  }
}
