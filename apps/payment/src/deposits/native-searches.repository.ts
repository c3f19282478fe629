import { gaugeByChain } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { IS_OPEN, IS_UNFUNDED_IN_FULL } from '../persistence/open-payments.js';
import type { WalletEnd } from './scanned-chain.js';

/** Balance of a wallet after a final block, which recorded facts do not explain. */
export interface UnexplainedBalance {
  paymentId: string;
  /** The larger one of two nodes, in smallest units. */
  balance: bigint;
  /** The smaller one: true money changes it though one node invents more. */
  lowest: bigint;
  /** Read after the end of the payment's funding. */
  isLast: boolean;
  /** Whether the whole balance would fund the payment. */
  mayFund: boolean;
}

/** Comparison of balances with recorded facts after a final block. */
export interface NativeLook {
  height: bigint;
  /** All wallets up to this one were compared after the end of their funding. */
  comparedTo: WalletEnd;
  /** Whether it is the last wallet whose funding has ended. */
  isOfAll: boolean;
  unexplained: readonly UnexplainedBalance[];
  /** Payments whose money is explained, but for what no search finds. */
  explained: readonly string[];
  /** Payments whose money that no search finds has left their wallets. */
  cleared: readonly string[];
}

/** Search for the money that a balance has shown. */
export interface NativeSearch {
  searchId: string;
  paymentId: string;
  chain: string;
  height: string;
  balance: string;
  isExplained: boolean;
  attempts: number;
}

export const NATIVE_SEARCH_COLUMNS = `search_id AS "searchId", payment_id AS "paymentId", chain,
  height::text AS height, balance::text AS balance, is_explained AS "isExplained", attempts`;

const FIRST_RETRY_MS = 5_000;
/** Most payments that are set aside wait for a second node only. */
const FIRST_ASIDE_MS = 500;
const LONGEST_RETRY_MS = 60_000;
/** Interval of the checks whether a payment has ended, so that its row can go. */
const KEPT_MS = 3_600_000;

/** Time for which deadlines wait while no node tells balances. */
const PATIENCE_MS = 3_600_000;
/** Lead of searches that hold the end of a payment before those that wait. */
const LEAD_MS = 600_000;

/**
 * Searches for native money, one row for each payment and chain. A row whose balance would fund the payment holds the end of
 * its funding until a later look finds all explained that had arrived by then: `holds` ends with the look after the last
 * balance, `is_last`.
 */
@Injectable()
export class NativeSearchesRepository {
  constructor(
    private readonly dataSource: DataSource,
    { metrics }: ServiceContext,
  ) {
    gaugeByChain(
      metrics,
      {
        name: 'payment_native_search_seconds',
        help: 'Age of the oldest search for native currency that balances show.',
      },
      () =>
        dataSource.query(
          `SELECT chain, extract(epoch FROM now() - min(noted_at))::float8 AS value
           FROM native_searches WHERE NOT is_explained GROUP BY chain`,
        ),
    );
    gaugeByChain(
      metrics,
      {
        name: 'payment_native_uncompared_seconds',
        help: 'Time between the newest final block and the end of funding up to which balances of wallets were compared.',
      },
      () =>
        dataSource.query(
          `SELECT chain,
             extract(epoch FROM confirmed_block_timestamp - compared_fund_by)::float8 AS value
           FROM chain_cursors WHERE compared_fund_by IS NOT NULL`,
        ),
    );
  }

  /** Chains on which a payment's native money may have arrived in time: it is searched for, or not compared yet. */
  async chainsHeld(paymentId: string): Promise<Set<string>> {
    const rows: { chain: string }[] = await this.dataSource.query(
      `SELECT chain FROM native_searches WHERE payment_id = $1 AND holds
       UNION
       SELECT chain FROM payments p JOIN chain_cursors ON plan #>> '{deposit,token}' = chain || ':0x'
       WHERE p.id = $1
         AND ((initiate_fund_by, p.id) <= (compared_fund_by, compared_payment_id)) IS NOT TRUE
         AND (uncompared_since < now() - $2 * interval '1 millisecond') IS NOT TRUE`,
      [paymentId, PATIENCE_MS],
    );
    return new Set(rows.map(({ chain }) => chain));
  }

  /** Whether a search on a chain holds the end of a payment. */
  async isHolding(chain: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `SELECT 1 FROM native_searches s WHERE chain = $1 AND holds
         AND EXISTS (SELECT FROM payments WHERE id = s.payment_id AND ${IS_UNFUNDED_IN_FULL}) LIMIT 1`,
      [chain],
    );
    return rows.length > 0;
  }

  /**
   * Notes a look in the transaction that moves the chain's cursor. A search in progress goes on with a higher balance, so that
   * money of which nodes forget the block is dated by a look in time, and with another one of the node that tells less. It
   * keeps a balance in time that holds, until it is explained, where the other one came too late.
   */
  async note(manager: EntityManager, chain: string, look: NativeLook): Promise<void> {
    const { height, unexplained, explained, cleared } = look;
    if (unexplained.length > 0) {
      await manager.query(
        `INSERT INTO native_searches AS known
           (payment_id, chain, height, balance, lowest, is_last, holds, due_at)
         SELECT payment, $1, $2, amount, lowest, last, may_fund,
           now() - CASE WHEN may_fund THEN $7 ELSE 0 END * interval '1 millisecond'
         FROM unnest($3::uuid[], $4::numeric[], $5::boolean[], $6::boolean[], $8::numeric[])
           AS seen(payment, amount, last, may_fund, lowest)
         ON CONFLICT (payment_id, chain) DO UPDATE SET
           height = excluded.height, balance = excluded.balance, lowest = excluded.lowest,
           residue = 0, is_explained = false,
           holds = (excluded.holds OR (known.holds AND NOT known.is_explained)) AND NOT known.is_last,
           is_last = known.is_last OR excluded.is_last,
           attempts = CASE WHEN known.is_explained THEN 0 ELSE known.attempts END,
           noted_at = CASE WHEN known.is_explained THEN now() ELSE known.noted_at END,
           due_at = CASE WHEN known.is_explained THEN excluded.due_at
             WHEN excluded.holds AND NOT known.holds THEN least(known.due_at, excluded.due_at)
             ELSE known.due_at END
         WHERE known.is_explained OR (NOT known.is_last
           AND (excluded.balance > known.balance OR excluded.lowest <> known.lowest)
           AND (NOT excluded.is_last OR (excluded.holds AND NOT known.holds)))`,
        [
          chain,
          height.toString(),
          unexplained.map(({ paymentId }) => paymentId),
          unexplained.map(({ balance }) => balance.toString()),
          unexplained.map(({ isLast }) => isLast),
          unexplained.map(({ mayFund }) => mayFund),
          LEAD_MS,
          unexplained.map(({ lowest }) => lowest.toString()),
        ],
      );
    }
    if (explained.length > 0) {
      await manager.query(
        `UPDATE native_searches SET holds = false
         WHERE payment_id = ANY($2) AND chain = $1 AND is_explained AND holds`,
        [chain, explained],
      );
    }
    if (cleared.length > 0) {
      await manager.query(
        `UPDATE native_searches SET residue = 0
         WHERE payment_id = ANY($2) AND chain = $1 AND is_explained AND residue <> 0`,
        [chain, cleared],
      );
    }
  }

  /**
   * Ends the search for a balance; goes on where a look has noted a higher one meanwhile.
   * @param residue money that no rise explains, such as what a withdrawal left
   */
  async end({ searchId, height }: NativeSearch, residue: bigint): Promise<void> {
    await this.dataSource.query(
      `UPDATE native_searches SET is_explained = (height = $2), attempts = 0,
         residue = CASE WHEN height = $2 THEN $3::numeric ELSE 0 END,
         noted_at = CASE WHEN height = $2 THEN noted_at ELSE now() END,
         due_at = now() + CASE WHEN height = $2 THEN $4 WHEN holds THEN -$5::integer ELSE 0 END
           * interval '1 millisecond'
       WHERE search_id = $1 AND NOT is_explained`,
      [searchId, height, residue.toString(), KEPT_MS, LEAD_MS],
    );
  }

  /** Gives the other searches their turn, those that hold first. */
  async requeue({ searchId }: NativeSearch): Promise<void> {
    await this.dataSource.query(
      `UPDATE native_searches SET attempts = 0,
         due_at = now() - CASE WHEN holds THEN $2::integer ELSE 0 END * interval '1 millisecond'
       WHERE search_id = $1 AND NOT is_explained`,
      [searchId, LEAD_MS],
    );
  }

  /** Waits, longer each time, after a failure or while the payment is set aside. */
  async postpone({ searchId }: NativeSearch, why: 'failed' | 'set aside'): Promise<void> {
    await this.dataSource.query(
      `UPDATE native_searches SET attempts = attempts + 1,
         due_at = now() + least($2 * 2 ^ least(attempts, 20), $3) * interval '1 millisecond'
       WHERE search_id = $1 AND NOT is_explained`,
      [searchId, why === 'failed' ? FIRST_RETRY_MS : FIRST_ASIDE_MS, LONGEST_RETRY_MS],
    );
  }

  /** Removes an ended search once its payment has ended. */
  async removeEnded({ searchId }: NativeSearch): Promise<void> {
    await this.dataSource.query(
      `WITH removed AS (
         DELETE FROM native_searches s WHERE search_id = $1 AND is_explained
           AND NOT EXISTS (SELECT FROM payments WHERE id = s.payment_id AND ${IS_OPEN})
         RETURNING search_id)
       UPDATE native_searches SET due_at = now() + $2 * interval '1 millisecond'
       WHERE search_id = $1 AND is_explained AND NOT EXISTS (SELECT FROM removed)`,
      [searchId, KEPT_MS],
    );
  }
}
