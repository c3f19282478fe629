import { ZERO_ADDRESS } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { PLAIN_POSITION } from './transfers.js';
import type { ReportedBlock, ReportedRise, ReportedTransfer } from './witness.client.js';

/** Unconfirmed deposits of a payment that no second node was asked about yet. */
export interface Unwitnessed {
  /** Deposits that are told apart, each by its receipt. */
  single: Identified<ReportedTransfer>[];
  /** Deposits that are only summed, of the most valuable blocks. */
  summed: IdentifiedBlock[];
  /** Native currency of the most valuable blocks with calls. */
  rises: { ids: string[]; rise: ReportedRise; plain: IdentifiedBlock | null }[];
  /** Native currency that no second node was asked about, in smallest units. */
  native: { unconfirmed: bigint; confirmed: bigint };
}

type IdentifiedBlock = ReportedBlock<Identified<ReportedTransfer>>;
type Identified<T> = T & { id: string };
type Stored<T extends { amount: bigint; blockNumber: bigint }> = Omit<
  T,
  'amount' | 'blockNumber'
> & { amount: string; blockNumber: string };

/** Deposits of a payment up to a height, and a limit of their worth in US dollars. */
interface DepositLimit {
  paymentId: string;
  chain: string;
  upTo: bigint;
  usd: string;
}

/** Most blocks with summed deposits, or with calls, that nodes are asked about at once. */
const BLOCKS_AT_ONCE = 20;
/** Summed deposits after which no further block is asked about at once: one holds up to some thousands. */
const DEPOSITS_AT_ONCE = 10_000;

/** SQL: deposits `d` of a payment up to a height that no later withdrawal took, so that they may still pay for something. */
const RECORDED = `FROM deposits d JOIN payments p ON p.id = d.payment_id
  WHERE d.payment_id = $1 AND d.chain = $2 AND d.block_number <= $3 AND NOT EXISTS (
    SELECT FROM withdrawals w
    WHERE w.payment_id = d.payment_id AND w.chain = d.chain AND w.order_id IS NULL
      AND w.landed IS NOT NULL AND (w.landed->>'blockNumber')::bigint >= d.block_number)`;

/** SQL condition on a deposit `d` that is still to be witnessed. */
const IS_DUE = '(NOT d.confirmed AND NOT d.is_witnessed)';

/** SQL condition on a deposit: native currency that no plain transaction paid. */
const IS_INTERNAL = `(position <> '${PLAIN_POSITION}'
  AND (position LIKE '${PLAIN_POSITION}%' OR position LIKE 'call:%' OR position LIKE 'balance:%'))`;

/**
 * SQL condition on a deposit `d`: native currency of a block with calls. One node may tell a plain transaction as a call, so
 * that only the balance says how much all of them paid.
 */
const IS_RISE = `(d.token = $4 AND d.block_hash IN (
  SELECT block_hash FROM deposits WHERE payment_id = $1 AND chain = $2 AND ${IS_INTERNAL}))`;

/** SQL: a deposit of the plan without a price. Its worth may be any. */
const IS_UNPRICED = '(d.usd_price IS NULL AND p.decimals ? d.token)';
const USD = '(d.amount * d.usd_price / 10::numeric ^ d.decimals)';

const REPORTED_TRANSFER = `d.id, d.token, p.wallet_address AS wallet, d.sender, d.amount::text AS amount,
  d.transaction_hash AS "transactionHash", d.position, d.block_hash AS "blockHash",
  d.block_number::text AS "blockNumber"`;

/** Reads and marks deposits that need a second node. */
@Injectable()
export class UnwitnessedDepositsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Whether a payment has unconfirmed deposits up to a height whose unwitnessed ones, confirmed or not, are worth at least
   * so many dollars in sum. Those of the plan's tokens without a price are, too. What a later withdrawal took counts for
   * nothing.
   */
  async areLarge(
    { paymentId, chain, upTo, usd }: DepositLimit,
    manager: EntityManager | DataSource = this.dataSource,
  ): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `SELECT 1 ${RECORDED} AND NOT d.is_witnessed
       HAVING bool_or(NOT d.confirmed)
         AND (sum(${USD}) >= $4::numeric OR bool_or(NOT d.confirmed AND ${IS_UNPRICED}))`,
      [paymentId, chain, upTo.toString(), usd],
    );
    return rows.length > 0;
  }

  /** Finds those up to a height, by what tells them. */
  async find(paymentId: string, chain: string, upTo: bigint): Promise<Unwitnessed> {
    const values = [paymentId, chain, upTo.toString(), tokenIdentifier(chain, ZERO_ADDRESS)];
    const transfers = async (condition: string, more: readonly unknown[] = []) => {
      const rows: Identified<Stored<ReportedTransfer>>[] = await this.dataSource.query(
        `SELECT ${REPORTED_TRANSFER} ${RECORDED} AND ${condition}`,
        [...values, ...more],
      );
      return rows.map(withBigints);
    };
    const single = await transfers(`${IS_DUE} AND NOT d.is_summed AND NOT ${IS_RISE}`);
    const isSummed = `${IS_DUE} AND d.is_summed AND NOT ${IS_RISE}`;
    const summed = await transfers(`${isSummed} AND d.block_hash IN (
      SELECT block_hash FROM (
        SELECT d.block_hash,
          sum(count(*)) OVER (ORDER BY bool_or(${IS_UNPRICED}) DESC, sum(${USD}) DESC NULLS LAST,
            d.block_hash) - count(*) AS before
        ${RECORDED} AND ${isSummed} GROUP BY d.block_hash ORDER BY before LIMIT ${BLOCKS_AT_ONCE}
      ) AS blocks WHERE before < ${DEPOSITS_AT_ONCE})`);
    // Confirmed deposits explain the rise, too.
    const rises: (Stored<ReportedRise> & { ids: string[] })[] = await this.dataSource.query(
      `SELECT p.wallet_address AS wallet, sum(d.amount)::text AS amount,
         array_agg(d.id) FILTER (WHERE ${IS_DUE}) AS ids,
         d.block_hash AS "blockHash", d.block_number::text AS "blockNumber"
       ${RECORDED} AND ${IS_RISE}
       GROUP BY p.wallet_address, d.block_hash, d.block_number HAVING bool_or(${IS_DUE})
       ORDER BY sum(d.amount) DESC, d.block_number LIMIT ${BLOCKS_AT_ONCE}`,
      values,
    );
    const plain = inBlocks(
      await transfers(
        `${IS_DUE} AND ${IS_RISE} AND NOT ${IS_INTERNAL} AND d.block_hash = ANY($5)`,
        [rises.map(({ blockHash }) => blockHash)],
      ),
    );
    const [native]: Record<'unconfirmed' | 'confirmed', string>[] = await this.dataSource.query(
      `SELECT coalesce(sum(d.amount) FILTER (WHERE NOT d.confirmed), 0)::text AS unconfirmed,
         coalesce(sum(d.amount) FILTER (WHERE d.confirmed AND NOT d.is_witnessed), 0)::text AS confirmed
       ${RECORDED} AND d.token = $4`,
      values,
    );
    return {
      single,
      summed: inBlocks(summed),
      rises: rises.map(({ ids, ...rise }) => ({
        ids,
        rise: withBigints(rise),
        plain: plain.find(({ hash }) => hash === rise.blockHash) ?? null,
      })),
      native: {
        unconfirmed: BigInt(native?.unconfirmed ?? 0),
        confirmed: BigInt(native?.confirmed ?? 0),
      },
    };
  }

  /** Marks deposits that two nodes have as witnessed, before they are confirmed. */
  async markWitnessed(ids: readonly string[]): Promise<void> {
    await this.dataSource.query('UPDATE deposits SET is_witnessed = true WHERE id = ANY($1)', [
      ids,
    ]);
  }
}

const withBigints = <T extends { amount: string; blockNumber: string }>(row: T) => ({
  ...row,
  amount: BigInt(row.amount),
  blockNumber: BigInt(row.blockNumber),
});

const inBlocks = <T extends ReportedTransfer>(deposits: readonly T[]): ReportedBlock<T>[] =>
  [...Map.groupBy(deposits, ({ blockHash }) => blockHash).values()].flatMap((transfers) => {
    const [first] = transfers;
    if (first === undefined) return [];
    return [{ wallet: first.wallet, number: first.blockNumber, hash: first.blockHash, transfers }];
  });
