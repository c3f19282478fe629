import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { IS_OPEN } from '../persistence/open-payments.js';

/** Balance of a wallet after a final block, which recorded facts do not explain. */
export interface UnexplainedBalance {
  paymentId: string;
  balance: bigint;
  /** Read after the end of the payment's funding. */
  isLast: boolean;
}

/** Comparison of balances with recorded facts after a final block. */
export interface NativeLook {
  height: bigint;
  unexplained: readonly UnexplainedBalance[];
  /** Payments whose money is explained, but for what no search finds. */
  explained: readonly string[];
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

/**
 * Searches for native money, one row for each payment and chain. A row holds the end of the payment's funding until a later
 * look finds all explained that had arrived by then: `holds` ends with the look after the last balance, `is_last`.
 */
@Injectable()
export class NativeSearchesRepository {
  constructor(
    private readonly dataSource: DataSource,
    { metrics }: ServiceContext,
  ) {
    const ages = (): Promise<{ chain: string; age: string }[] | null> =>
      dataSource
        .query(
          `SELECT chain, extract(epoch FROM now() - min(noted_at)) AS age FROM native_searches
           WHERE holds AND NOT is_explained GROUP BY chain`,
        )
        .catch(() => null);
    new Gauge({
      name: 'payment_native_search_seconds',
      help: 'Age of the oldest search for native currency that holds the end of a payment.',
      labelNames: ['chain'],
      registers: [metrics],
      async collect() {
        const rows = await ages();
        if (rows === null) return;
        this.reset();
        for (const { chain, age } of rows) this.set({ chain }, Number(age));
      },
    });
  }

  /** Chains on which money of a payment is searched for that may have arrived in time. */
  async chainsHeld(paymentId: string): Promise<Set<string>> {
    const rows: { chain: string }[] = await this.dataSource.query(
      'SELECT chain FROM native_searches WHERE payment_id = $1 AND holds',
      [paymentId],
    );
    return new Set(rows.map(({ chain }) => chain));
  }

  /** Whether a search on a chain holds the end of a payment. */
  async isHolding(chain: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      'SELECT 1 FROM native_searches WHERE chain = $1 AND holds LIMIT 1',
      [chain],
    );
    return rows.length > 0;
  }

  /** Notes a look in the transaction that moves the chain's cursor. A search in progress keeps its balance and its turn. */
  async note(manager: EntityManager, chain: string, look: NativeLook): Promise<void> {
    const { height, unexplained, explained } = look;
    if (unexplained.length > 0) {
      await manager.query(
        `INSERT INTO native_searches AS known (payment_id, chain, height, balance, is_last)
         SELECT payment, $1, $2, amount, last
         FROM unnest($3::uuid[], $4::numeric[], $5::boolean[]) AS seen(payment, amount, last)
         ON CONFLICT (payment_id, chain) DO UPDATE SET
           height = excluded.height, balance = excluded.balance, is_explained = false,
           holds = NOT known.is_last, is_last = known.is_last OR excluded.is_last,
           attempts = 0, noted_at = now(), due_at = now()
         WHERE known.is_explained`,
        [
          chain,
          height.toString(),
          unexplained.map(({ paymentId }) => paymentId),
          unexplained.map(({ balance }) => balance.toString()),
          unexplained.map(({ isLast }) => isLast),
        ],
      );
    }
    if (explained.length === 0) return;
    await manager.query(
      `UPDATE native_searches SET holds = false
       WHERE payment_id = ANY($2) AND chain = $1 AND is_explained AND holds`,
      [chain, explained],
    );
  }

  /** Ends the search for a balance. @param residue money that no rise explains, such as what a withdrawal left */
  async end({ searchId, height }: NativeSearch, residue: bigint): Promise<void> {
    await this.dataSource.query(
      `UPDATE native_searches SET is_explained = true, residue = $3, attempts = 0,
         due_at = now() + $4 * interval '1 millisecond'
       WHERE search_id = $1 AND height = $2 AND NOT is_explained`,
      [searchId, height, residue.toString(), KEPT_MS],
    );
  }

  /** Gives the other searches their turn. */
  async goOn({ searchId, height }: NativeSearch): Promise<void> {
    await this.dataSource.query(
      `UPDATE native_searches SET attempts = 0, due_at = now()
       WHERE search_id = $1 AND height = $2 AND NOT is_explained`,
      [searchId, height],
    );
  }

  /** Waits, longer each time, after a failure or while the payment is set aside. */
  async postpone({ searchId, height }: NativeSearch, why: 'failed' | 'set aside'): Promise<void> {
    await this.dataSource.query(
      `UPDATE native_searches SET attempts = attempts + 1,
         due_at = now() + least($3 * 2 ^ least(attempts, 20), $4) * interval '1 millisecond'
       WHERE search_id = $1 AND height = $2 AND NOT is_explained`,
      [searchId, height, why === 'failed' ? FIRST_RETRY_MS : FIRST_ASIDE_MS, LONGEST_RETRY_MS],
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
