import { gaugeByChain, isDatabaseUnavailable, LeaseLostError } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { UnreadTransfersError } from './unread-transfers-error.js';

/** Work that failed for one payment, waits for its turn, or waits since the payment is set aside already. */
export interface PaymentFailure {
  readonly paymentId: string;
  /** Blocks with transfers or withdrawals to record. */
  readonly blocks: readonly bigint[];
  /** Height from which a reorg replaced the blocks. */
  readonly reorgFrom?: bigint;
  /** Missing where nothing was tried. */
  readonly error?: unknown;
  /** Set aside only since a pass had enough others: it takes turns with its organisation. */
  readonly isInTurn?: boolean;
}

/**
 * Whether others may go on after a failed transaction: neither the lease nor the database is lost. Ask of no error that a
 * node may have caused: it chooses the text.
 */
export const isOfOnePayment = (error: unknown): boolean =>
  !(error instanceof LeaseLostError) && !isDatabaseUnavailable(error);

/** Work left for a payment that is set aside. */
export interface SetAsideWork {
  reorgFrom: bigint | null;
  /** Oldest blocks to record, in order. */
  blocks: bigint[];
}

const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 60_000;
/** A wallet is flooded for good: only another node, or another limit of this one, may tell its transfers. */
const LONGEST_UNREAD_RETRY_MS = 3_600_000;
const BLOCKS_AT_ONCE = 20;

/**
 * Payments that the scanner of a chain could not record and went on without. While one is set aside, the scanner only
 * notes its blocks, and no deadline on that chain ends it.
 */
@Injectable()
export class SetAsideRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly context: ServiceContext,
  ) {
    gaugeByChain(
      context.metrics,
      {
        name: 'payments_set_aside',
        help: 'Payments whose transfers on a chain could not be recorded; they are retried.',
      },
      () =>
        dataSource.query(
          `SELECT chain, count(*)::float8 AS value FROM set_aside_payments
           WHERE attempts > 0 OR failure <> ALL($1) GROUP BY chain`,
          [[WAITING, IN_TURN]],
        ),
    );
    gaugeByChain(
      context.metrics,
      {
        name: 'payments_set_aside_oldest_seconds',
        help: 'Time for which the oldest payment of a chain is set aside, for whatever reason.',
      },
      () =>
        dataSource.query(
          `SELECT chain, extract(epoch FROM now() - min(since))::float8 AS value
           FROM set_aside_payments GROUP BY chain`,
        ),
    );
  }

  /** Payments among these that are set aside on a chain. */
  async among(chain: string, paymentIds: readonly string[]): Promise<Set<string>> {
    if (paymentIds.length === 0) return new Set();
    const rows: { id: string }[] = await this.dataSource.query(
      'SELECT payment_id AS id FROM set_aside_payments WHERE payment_id = ANY($1) AND chain = $2',
      [paymentIds, chain],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Chains on which a payment is set aside. */
  async chainsOf(paymentId: string): Promise<string[]> {
    const rows: { chain: string }[] = await this.dataSource.query(
      'SELECT chain FROM set_aside_payments WHERE payment_id = $1',
      [paymentId],
    );
    return rows.map(({ chain }) => chain);
  }

  /** Sets payments aside in the transaction that moves the chain's cursor. */
  async put(
    manager: EntityManager,
    chain: string,
    failures: readonly PaymentFailure[],
  ): Promise<void> {
    if (failures.length === 0) return;
    for (const { paymentId, error } of failures) {
      if (error === undefined) continue;
      this.context.logger.error(
        { err: error, chain, payment_id: paymentId },
        'payment set aside: its transfers could not be recorded',
      );
    }
    const payments = perPayment(failures);
    await manager.query(
      `INSERT INTO set_aside_payments AS known
         (payment_id, chain, reorg_from, failure, due_at, is_unread, holder)
       SELECT new.payment_id, $1, new.reorg_from, new.failure,
         now() + new.wait * interval '1 millisecond', new.is_unread,
         CASE WHEN new.in_turn THEN $1 || '/' || p.org_id END
       FROM unnest($2::uuid[], $3::bigint[], $4::text[], $5::int[], $6::boolean[], $7::boolean[])
         AS new(payment_id, reorg_from, failure, wait, is_unread, in_turn)
       LEFT JOIN payments p ON p.id = new.payment_id
       ON CONFLICT (payment_id, chain) DO UPDATE
       SET reorg_from = least(known.reorg_from, excluded.reorg_from)`,
      [
        chain,
        payments.map(({ paymentId }) => paymentId),
        payments.map(({ reorgFrom }) => reorgFrom?.toString() ?? null),
        payments.map(failureOf),
        payments.map(({ error }) => (error === undefined ? 0 : FIRST_RETRY_MS)),
        payments.map(({ error }) => isUnread(error)),
        payments.map(({ isInTurn }) => isInTurn === true),
      ],
    );
    const noted = failures.flatMap(({ paymentId, blocks }) =>
      blocks.map((block) => ({ paymentId, block })),
    );
    await manager.query(
      `INSERT INTO set_aside_blocks (payment_id, chain, block_number)
       SELECT payment_id, $1, number FROM unnest($2::uuid[], $3::bigint[]) AS new(payment_id, number)
       ON CONFLICT DO NOTHING`,
      [chain, noted.map(({ paymentId }) => paymentId), noted.map(({ block }) => block.toString())],
    );
  }

  /** Null for a payment that is no longer set aside. */
  async workOf(paymentId: string, chain: string): Promise<SetAsideWork | null> {
    const rows: { reorgFrom: string | null; blocks: string[] }[] = await this.dataSource.query(
      `SELECT reorg_from AS "reorgFrom", ARRAY(
         SELECT block_number::text FROM set_aside_blocks b
         WHERE b.payment_id = a.payment_id AND b.chain = a.chain
         ORDER BY block_number LIMIT ${BLOCKS_AT_ONCE}) AS blocks
       FROM set_aside_payments a WHERE payment_id = $1 AND chain = $2`,
      [paymentId, chain],
    );
    const [row] = rows;
    if (row === undefined) return null;
    const { reorgFrom, blocks } = row;
    return { reorgFrom: reorgFrom === null ? null : BigInt(reorgFrom), blocks: blocks.map(BigInt) };
  }

  /** Ends the work on a reorg; false where another retry has, or a deeper one came meanwhile, which stays. */
  async reorgDone(
    manager: EntityManager,
    paymentId: string,
    chain: string,
    from: bigint,
  ): Promise<boolean> {
    const [, ended]: [unknown, number] = await manager.query(
      `UPDATE set_aside_payments SET reorg_from = NULL
       WHERE payment_id = $1 AND chain = $2 AND reorg_from = $3`,
      [paymentId, chain, from.toString()],
    );
    return ended > 0;
  }

  /**
   * Ends the work on a block. It stays where the block has become final since its withdrawals were looked for: the scanner
   * may have noted it again for these. It also stays while a reorg of it is left, which removes what was recorded just now.
   * @param final the height up to which withdrawals were looked for
   */
  async blockDone(
    manager: EntityManager,
    paymentId: string,
    chain: string,
    { block, final }: { block: bigint; final: bigint },
  ): Promise<void> {
    await manager.query(
      `WITH cursor AS (
         SELECT confirmed_block_number AS number FROM chain_cursors WHERE chain = $2 FOR SHARE)
       DELETE FROM set_aside_blocks
       WHERE payment_id = $1 AND chain = $2 AND block_number = $3
         AND ($3 <= $4::bigint OR $3 > (SELECT coalesce(number, -1) FROM cursor))
         AND NOT EXISTS (SELECT FROM set_aside_payments
           WHERE payment_id = $1 AND chain = $2 AND reorg_from <= $3)`,
      [paymentId, chain, block.toString(), final.toString()],
    );
  }

  /**
   * Keeps the scanner from noting more until the transaction ends.
   * @returns whether it is still set aside, and no reorg is left
   */
  async hold(manager: EntityManager, paymentId: string, chain: string): Promise<boolean> {
    const rows: unknown[] = await manager.query(
      `SELECT 1 FROM set_aside_payments
       WHERE payment_id = $1 AND chain = $2 AND reorg_from IS NULL FOR UPDATE`,
      [paymentId, chain],
    );
    return rows.length > 0;
  }

  /** Ends it once no work is left; false while some is. Call {@link hold} first: the scanner may note more. */
  async end(manager: EntityManager, paymentId: string, chain: string): Promise<boolean> {
    const [, ended]: [unknown, number] = await manager.query(
      `DELETE FROM set_aside_payments a
       WHERE payment_id = $1 AND chain = $2 AND reorg_from IS NULL AND NOT EXISTS (
         SELECT FROM set_aside_blocks b WHERE b.payment_id = a.payment_id AND b.chain = a.chain)`,
      [paymentId, chain],
    );
    return ended > 0;
  }

  /** Has the rest of one with much work retried, in turns with others of its organisation. */
  async takeTurns(paymentId: string, chain: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE set_aside_payments a SET due_at = now(), holder = $2 || '/' || p.org_id
       FROM payments p WHERE p.id = a.payment_id AND a.payment_id = $1 AND a.chain = $2`,
      [paymentId, chain],
    );
  }

  async postpone(paymentId: string, chain: string, error: unknown): Promise<void> {
    await this.dataSource.query(
      `UPDATE set_aside_payments SET attempts = attempts + 1, failure = $3, is_unread = $6,
         due_at = now() + least($4 * 2 ^ least(attempts, 20), $5) * interval '1 millisecond'
       WHERE payment_id = $1 AND chain = $2`,
      [
        paymentId,
        chain,
        reasonOf(error),
        FIRST_RETRY_MS,
        isUnread(error) ? LONGEST_UNREAD_RETRY_MS : LONGEST_RETRY_MS,
        isUnread(error),
      ],
    );
  }
}

function failureOf({ error, isInTurn }: PaymentFailure): string {
  if (error !== undefined) return reasonOf(error);
  return isInTurn === true ? IN_TURN : WAITING;
}

/** One failure for each payment: the first one, with the lowest height of a reorg. */
function perPayment(failures: readonly PaymentFailure[]): PaymentFailure[] {
  const merged = new Map<string, PaymentFailure>();
  for (const failure of failures) {
    const { reorgFrom, ...first } = merged.get(failure.paymentId) ?? failure;
    const heights = [reorgFrom, failure.reorgFrom].filter((height) => height !== undefined);
    const lowest = heights.toSorted((one, other) => (one < other ? -1 : 1))[0];
    merged.set(failure.paymentId, { ...first, ...(lowest !== undefined && { reorgFrom: lowest }) });
  }
  return [...merged.values()];
}

const isUnread = (error: unknown): boolean => error instanceof UnreadTransfersError;

/** Reasons of a payment that has not failed yet. */
const WAITING = 'waits for a second node';
const IN_TURN = 'waits for its turn';
/** Longest kept reason, in characters. */
const REASON_LENGTH = 500;

const reasonOf = (error: unknown): string =>
  // Postgres stores no NUL.
  (error instanceof Error ? error.message : String(error))
    .replaceAll('\0', '')
    .slice(0, REASON_LENGTH);
