import { LeaseLostError } from '@bascule/persistence';
import type { ChainValue } from '@bascule/persistence';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Hash } from 'viem';
import { IS_OPEN } from '../persistence/open-payments.js';
import { endsBefore, isSameBlock } from './scanned-chain.js';
import type { BlockPointer, KeptBlock, ScanCursor, WalletEnd } from './scanned-chain.js';

interface CursorRow {
  block_number: string;
  block_hash: Hash;
  block_timestamp: Date;
  confirmed_block_number: string | null;
  confirmed_block_timestamp: Date | null;
  witnessed_block_number: string | null;
  reread_block_number: string | null;
  compared_fund_by: string | null;
  compared_payment_id: string | null;
}

interface Confirmation extends Pick<BlockPointer, 'number' | 'timestamp'> {
  comparedTo: WalletEnd | null;
  isFarBehind?: boolean;
}

interface BlockRow {
  block_number: string;
  block_hash: Hash;
  block_timestamp: Date;
}

const pointer = (row: BlockRow): BlockPointer => ({
  number: BigInt(row.block_number),
  hash: row.block_hash,
  timestamp: row.block_timestamp,
});

/** Cursor of each chain's scanner, and the blocks that it scanned. */
@Injectable()
export class ScanCursorRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(chain: string): Promise<ScanCursor | null> {
    const rows: CursorRow[] = await this.dataSource.query(
      `SELECT block_number, block_hash, block_timestamp, confirmed_block_number,
         confirmed_block_timestamp, witnessed_block_number, reread_block_number,
         compared_fund_by::text, compared_payment_id
       FROM chain_cursors WHERE chain = $1`,
      [chain],
    );
    const [row] = rows;
    if (!row) return null;
    const { confirmed_block_number: number, confirmed_block_timestamp: timestamp } = row;
    const { witnessed_block_number: witnessed, reread_block_number: reread } = row;
    const { compared_fund_by: fundBy, compared_payment_id: paymentId } = row;
    return {
      scanned: pointer(row),
      confirmed:
        number === null || timestamp === null ? null : { number: BigInt(number), timestamp },
      witnessed: witnessed === null ? null : BigInt(witnessed),
      reread: reread === null ? null : BigInt(reread),
      compared: fundBy === null || paymentId === null ? null : { fundBy, paymentId },
    };
  }

  /** Newest final block of each scanned chain. */
  async finalBlocks(): Promise<Map<string, bigint>> {
    const rows: { chain: string; number: string }[] = await this.dataSource.query(
      `SELECT chain, confirmed_block_number AS number FROM chain_cursors
       WHERE confirmed_block_number IS NOT NULL`,
    );
    return new Map(rows.map(({ chain, number }) => [chain, BigInt(number)]));
  }

  /** Time between the newest final block of some chains and the newest one that two nodes were read for, in seconds. */
  async unreadSeconds(chains: readonly string[]): Promise<ChainValue[]> {
    return this.dataSource.query(
      `SELECT chain, CASE WHEN reread_block_number >= confirmed_block_number THEN 0 ELSE
         extract(epoch FROM confirmed_block_timestamp - reread_block_timestamp)::float8 END AS value
       FROM chain_cursors WHERE chain = ANY($1) AND reread_block_timestamp IS NOT NULL`,
      [chains],
    );
  }

  /** Scanned block at a height; null beyond the retention. */
  async blockAt(chain: string, number: bigint): Promise<BlockPointer | null> {
    const rows: BlockRow[] = await this.dataSource.query(
      `SELECT block_number, block_hash, block_timestamp FROM scanned_blocks
       WHERE chain = $1 AND block_number = $2`,
      [chain, number.toString()],
    );
    return rows[0] ? pointer(rows[0]) : null;
  }

  /**
   * Whether the scanner has a block, with its time, as part of the chain, which a reorg cannot change before the transaction
   * ends. A final block beyond the retention counts by its height.
   */
  async holdScanned(manager: EntityManager, chain: string, block: BlockPointer): Promise<boolean> {
    const number = block.number.toString();
    const rows: BlockRow[] = await manager.query(
      `SELECT block_number, block_hash, block_timestamp FROM scanned_blocks
       WHERE chain = $1 AND block_number = $2 FOR SHARE`,
      [chain, number],
    );
    if (rows[0] !== undefined) return isSameBlock(pointer(rows[0]), block);
    const older: unknown[] = await manager.query(
      `SELECT 1 FROM chain_cursors WHERE chain = $1 AND confirmed_block_number >= $2
         AND $2 < (SELECT min(block_number) FROM scanned_blocks WHERE chain = $1)`,
      [chain, number],
    );
    return older.length > 0;
  }

  /** Scanned blocks from a height downwards, newest first. */
  async blocksDownFrom(chain: string, number: bigint): Promise<BlockPointer[]> {
    const rows: BlockRow[] = await this.dataSource.query(
      `SELECT block_number, block_hash, block_timestamp FROM scanned_blocks
       WHERE chain = $1 AND block_number <= $2 ORDER BY block_number DESC`,
      [chain, number.toString()],
    );
    return rows.map(pointer);
  }

  /** Kept blocks of a range, oldest first. */
  async blocksBetween(
    manager: Pick<EntityManager, 'query'>,
    chain: string,
    { from, to, limit }: { from: bigint; to: bigint; limit: number },
  ): Promise<KeptBlock[]> {
    const rows: (BlockRow & { read_from: string | null })[] = await manager.query(
      `SELECT block_number, block_hash, block_timestamp, read_from FROM scanned_blocks
       WHERE chain = $1 AND block_number BETWEEN $2 AND $3 ORDER BY block_number LIMIT $4`,
      [chain, from.toString(), to.toString(), limit],
    );
    return rows.map((row) => ({ ...pointer(row), readFrom: row.read_from }));
  }

  /** Creation time of the oldest open payment. */
  async oldestOpenPayment(): Promise<Date | null> {
    const rows: { oldest: Date | null }[] = await this.dataSource.query(
      `SELECT min(created_at) AS oldest FROM payments WHERE ${IS_OPEN}`,
    );
    return rows[0]?.oldest ?? null;
  }

  /** Moves the cursor to the last block, and stores the blocks for the retention. */
  async advance(
    manager: EntityManager,
    chain: string,
    epoch: bigint,
    blocks: readonly BlockPointer[],
    { readFrom, retention }: { readFrom: string; retention: bigint },
  ): Promise<void> {
    const last = blocks.at(-1);
    if (!last) return;
    await this.write(manager, chain, epoch, last);
    await manager.query(
      `INSERT INTO scanned_blocks (chain, block_number, block_hash, block_timestamp, read_from)
       SELECT $1, number, hash, at, $5
       FROM unnest($2::bigint[], $3::text[], $4::timestamptz[]) AS scanned(number, hash, at)
       ON CONFLICT (chain, block_number) DO UPDATE SET block_hash = excluded.block_hash,
         block_timestamp = excluded.block_timestamp, read_from = excluded.read_from`,
      [
        chain,
        blocks.map(({ number }) => number.toString()),
        blocks.map(({ hash }) => hash),
        blocks.map(({ timestamp }) => timestamp),
        readFrom,
      ],
    );
    await manager.query('DELETE FROM scanned_blocks WHERE chain = $1 AND block_number < $2', [
      chain,
      (last.number - retention).toString(),
    ]);
  }

  /**
   * Makes blocks count as final, and notes up to which wallet, in the order in which fundings end, balances were compared
   * after that end.
   * @param final.comparedTo null where no node told balances
   * @param final.isFarBehind whether the scan catches up: nodes may have forgotten balances of old blocks only
   */
  async confirm(
    manager: EntityManager,
    chain: string,
    epoch: bigint,
    final: Confirmation,
  ): Promise<void> {
    const { number, timestamp, comparedTo, isFarBehind = false } = final;
    const [, written]: [unknown, number] = await manager.query(
      `UPDATE chain_cursors SET confirmed_block_number = $3, confirmed_block_timestamp = $4,
         reread_block_number = coalesce(reread_block_number, $3),
         reread_block_timestamp = coalesce(reread_block_timestamp, $4),
         compared_fund_by = coalesce($5, compared_fund_by),
         compared_payment_id = coalesce($6, compared_payment_id),
         uncompared_since = CASE WHEN $5::timestamptz IS NOT NULL THEN NULL
           WHEN $7 THEN uncompared_since ELSE coalesce(uncompared_since, now()) END,
         epoch = $2
       WHERE chain = $1 AND epoch <= $2`,
      [
        ...[chain, epoch.toString(), number.toString(), timestamp],
        ...[comparedTo?.fundBy ?? null, comparedTo?.paymentId ?? null, isFarBehind],
      ],
    );
    if (written === 0) throw new LeaseLostError(`scanner of ${chain}`);
  }

  /** Notes which node told the withdrawals of blocks: those that another one was scanned for have no single node. */
  async readBy(
    manager: EntityManager,
    chain: string,
    { from, to, readFrom }: { from: bigint; to: bigint; readFrom: string },
  ): Promise<void> {
    await manager.query(
      `UPDATE scanned_blocks SET read_from = NULL
       WHERE chain = $1 AND block_number BETWEEN $2 AND $3 AND read_from <> $4`,
      [chain, from.toString(), to.toString(), readFrom],
    );
  }

  /** Notes that two nodes have the scanned blocks up to a height. */
  async witness(
    manager: EntityManager,
    chain: string,
    epoch: bigint,
    number: bigint,
  ): Promise<void> {
    const [, written]: [unknown, number] = await manager.query(
      `UPDATE chain_cursors SET witnessed_block_number = $3, epoch = $2
       WHERE chain = $1 AND epoch <= $2`,
      [chain, epoch.toString(), number.toString()],
    );
    if (written === 0) throw new LeaseLostError(`scanner of ${chain}`);
  }

  /**
   * Notes that final blocks were read from two nodes, and keeps the scanner from rewinding until the transaction ends.
   * @returns false where a rewind, or another process, has moved either height meanwhile
   */
  async reread(
    manager: EntityManager,
    chain: string,
    { after, last }: { after: bigint; last: Pick<BlockPointer, 'number' | 'timestamp'> },
  ): Promise<boolean> {
    const [, written]: [unknown, number] = await manager.query(
      `UPDATE chain_cursors SET reread_block_number = $3, reread_block_timestamp = $4,
         reread_failing_since = NULL
       WHERE chain = $1 AND reread_block_number = $2 AND confirmed_block_number >= $3`,
      [chain, after.toString(), last.number.toString(), last.timestamp],
    );
    return written > 0;
  }

  /** Sets the time of the next second reading, and since when it fails, if that is known. */
  async rereadLater(chain: string, delayMs: number, hasFailed?: boolean): Promise<void> {
    await this.dataSource.query(
      `UPDATE chain_cursors SET due_at = now() + $2 * interval '1 millisecond',
         reread_failing_since = CASE
           WHEN $3 THEN coalesce(reread_failing_since, now())
           WHEN $3 IS NULL THEN reread_failing_since
         END
       WHERE chain = $1`,
      [chain, delayMs, hasFailed ?? null],
    );
  }

  /** Moves the cursor back to a block that the chain still has. */
  async rewind(
    manager: EntityManager,
    chain: string,
    epoch: bigint,
    to: BlockPointer,
  ): Promise<void> {
    await this.write(manager, chain, epoch, to);
    await manager.query(
      `UPDATE chain_cursors SET confirmed_block_number = $2, confirmed_block_timestamp = $3
       WHERE chain = $1 AND confirmed_block_number > $2`,
      [chain, to.number.toString(), to.timestamp],
    );
    await manager.query(
      `UPDATE chain_cursors SET witnessed_block_number = $2
       WHERE chain = $1 AND witnessed_block_number > $2`,
      [chain, to.number.toString()],
    );
    await manager.query(
      `UPDATE chain_cursors SET reread_block_number = $2, reread_block_timestamp = $3
       WHERE chain = $1 AND reread_block_number > $2`,
      [chain, to.number.toString(), to.timestamp],
    );
    const { fundBy, paymentId } = endsBefore(to.timestamp);
    await manager.query(
      `UPDATE chain_cursors SET compared_fund_by = $2, compared_payment_id = $3
       WHERE chain = $1 AND (compared_fund_by, compared_payment_id) > ($2::timestamptz, $3::uuid)`,
      [chain, fundBy, paymentId],
    );
    await manager.query('DELETE FROM scanned_blocks WHERE chain = $1 AND block_number > $2', [
      chain,
      to.number.toString(),
    ]);
  }

  private async write(
    manager: EntityManager,
    chain: string,
    epoch: bigint,
    { number, hash, timestamp }: BlockPointer,
  ): Promise<void> {
    const rows: unknown[] = await manager.query(
      `INSERT INTO chain_cursors AS known (chain, block_number, block_hash, block_timestamp, epoch)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (chain) DO UPDATE SET block_number = excluded.block_number,
         block_hash = excluded.block_hash, block_timestamp = excluded.block_timestamp,
         epoch = excluded.epoch
       WHERE known.epoch <= excluded.epoch
       RETURNING chain`,
      [chain, number.toString(), hash, timestamp, epoch.toString()],
    );
    if (rows.length === 0) throw new LeaseLostError(`scanner of ${chain}`);
  }
}
