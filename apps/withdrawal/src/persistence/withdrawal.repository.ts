import { TOPICS } from '@bascule/contracts';
import type {
  BroadcastWithdrawal,
  TokenAmount,
  WithdrawAccount,
  WithdrawalEventType,
} from '@bascule/contracts';
import { insertAnswer } from '@bascule/idempotency';
import type { SealedAnswer } from '@bascule/idempotency';
import { Outbox } from '@bascule/messaging';
import { currentTraceparent } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource, In, Not } from 'typeorm';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import type { Submitted } from '../life-cycle/submission-turn.js';
import { transition } from '../life-cycle/transitions.js';
import type { WithdrawalFact } from '../life-cycle/transitions.js';
import type { SignedPart } from '../life-cycle/signed-part.js';
import { withdrawalState } from '../life-cycle/withdrawal-record.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { WithdrawalMetricsService } from '../metrics/withdrawal-metrics.service.js';
import { MAX_VISITOR_OF_PAYMENT, UnsignedQuotaRepository } from './unsigned-quota.repository.js';
import { IS_IN_FLIGHT, IS_NOT_IN_FLIGHT, IS_SIGNED, Withdrawal } from './withdrawal.entity.js';

/** Candidates of one content whose signatures are compared: all of the visitor's own, and more of others. */
const CANDIDATES = 4 * MAX_VISITOR_OF_PAYMENT;
/** Time after its expiry for which an unsigned withdrawal is found by its content. */
const FOUND_AFTER_EXPIRY = "interval '1 hour'";

/** Account, recipient, tokens and amounts of a withdrawal, by which an older client names it. */
export interface WithdrawalContent {
  tokenAmounts: readonly TokenAmount[];
  recipientAddress: string;
  withdrawAccount: WithdrawAccount;
  /** Part of the signed text that no other withdrawal has; null when the client did not send the text. */
  signedPart: SignedPart | null;
  /** Visitor who confirms: its own requests come first. Null for a secret key. */
  visitor: string | null;
}

const HAS_CONTENT = `
  payment_id = :paymentId AND withdraw_account = :withdrawAccount
  AND recipient_address = :recipient AND jsonb_array_length(token_amounts) = :count
  AND NOT EXISTS (
    SELECT FROM jsonb_to_recordset(token_amounts) AS kept(token text, amount numeric)
    WHERE NOT EXISTS (
      SELECT FROM jsonb_to_recordset(CAST(:named AS jsonb)) AS named(token text, amount numeric)
      WHERE named.token = kept.token AND named.amount = kept.amount
    )
  )`;

export type NewWithdrawal = Omit<
  WithdrawalRecord,
  | 'version'
  | 'signature'
  | 'submitted'
  | 'submissions'
  | 'status'
  | 'transactionHash'
  | 'failure'
  | 'traceparent'
  | 'createdAt'
  | 'updatedAt'
>;

/** Writes withdrawals; each change commits together with its event. */
@Injectable()
export class WithdrawalRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly quota: UnsignedQuotaRepository,
    private readonly metrics: WithdrawalMetricsService,
  ) {}

  find(id: string): Promise<WithdrawalRecord | null> {
    return this.dataSource.getRepository(Withdrawal).findOneBy({ id });
  }

  /** Returns a payment's withdrawals with this content that can still be signed: the visitor's own first. */
  findSignable(paymentId: string, content: WithdrawalContent): Promise<WithdrawalRecord[]> {
    return this.withContent(paymentId, content)
      .andWhere("status = 'PENDING' AND expires_at > now()")
      .getMany();
  }

  /** Returns a payment's withdrawals with this content that have ended: signed ones, then unsigned ones of the last hour. */
  async findEnded(paymentId: string, content: WithdrawalContent): Promise<WithdrawalRecord[]> {
    const ended = () => this.withContent(paymentId, content).andWhere("status <> 'PENDING'");
    const [signed, unsigned] = await Promise.all([
      ended().andWhere(`(${IS_SIGNED})`).getMany(),
      ended()
        .andWhere(`NOT (${IS_SIGNED}) AND expires_at > now() - ${FOUND_AFTER_EXPIRY}`)
        .getMany(),
    ]);
    return [...signed, ...unsigned];
  }

  /** Compares in SQL, so that others of the payment take no place among the candidates. */
  private withContent(
    paymentId: string,
    { tokenAmounts, recipientAddress, withdrawAccount, signedPart, visitor }: WithdrawalContent,
  ): SelectQueryBuilder<Withdrawal> {
    const query = this.dataSource
      .getRepository(Withdrawal)
      .createQueryBuilder()
      .where(HAS_CONTENT, {
        paymentId,
        withdrawAccount,
        recipient: recipientAddress.toLowerCase(),
        count: tokenAmounts.length,
        named: JSON.stringify(tokenAmounts),
        visitor,
      })
      .orderBy('submitted', 'DESC')
      .addOrderBy('coalesce(visitor = :visitor, false)', 'DESC')
      .addOrderBy('visitor IS NULL', 'DESC')
      .addOrderBy('id', 'DESC')
      .limit(CANDIDATES);
    if (signedPart === null) return query;
    return 'nonce' in signedPart
      ? query.andWhere('nonce::text = :nonce', signedPart)
      : query.andWhere('typed_data = :text', signedPart);
  }

  /** Whether a withdrawal of this chain of retries was submitted with a reduced fee. */
  hasReducedFee(root: string): Promise<boolean> {
    return this.dataSource
      .getRepository(Withdrawal)
      .existsBy({ reducedFeeRoot: root, submitted: true });
  }

  lock(manager: EntityManager, id: string): Promise<WithdrawalRecord> {
    return manager.findOneOrFail(Withdrawal, {
      where: { id },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Returns another withdrawal in flight from the wallet on its chain; null without one. */
  async findInFlight(
    { id, walletAddress, chain }: WithdrawalRecord,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<string | null> {
    const [row]: { id: string }[] = await manager.query(
      `SELECT id FROM withdrawals
       WHERE wallet_address = $1 AND chain = $2 AND ${IS_IN_FLIGHT} AND id <> $3 LIMIT 1`,
      [walletAddress, chain, id],
    );
    return row?.id ?? null;
  }

  /** Counts withdrawals of a payment whose transactions executed nothing, and the others in flight, with one of these. */
  async countSubmitted(
    manager: EntityManager,
    { id, paymentId }: Pick<WithdrawalRecord, 'id' | 'paymentId'>,
  ): Promise<Submitted & { oneInFlight: string | null }> {
    const [row]: { unexecuted: number; others: string[] }[] = await manager.query(
      `SELECT count(*) FILTER (WHERE submissions > 0 AND status IN ('FAILED', 'EXPIRED'))::int AS unexecuted,
         coalesce(array_agg(id::text) FILTER (WHERE ${IS_IN_FLIGHT} AND id <> $2), '{}') AS others
       FROM withdrawals WHERE payment_id = $1 AND (${IS_SIGNED})`,
      [paymentId, id],
    );
    const { unexecuted = 0, others = [] } = row ?? {};
    return { unexecuted, inFlight: others.length, oneInFlight: others[0] ?? null };
  }

  /** Counts transactions that were recorded for a payment's withdrawals. */
  async countSubmissions(
    paymentId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<number> {
    const [row]: { count: string }[] = await manager.query(
      `SELECT coalesce(sum(submissions), 0) AS count FROM withdrawals
       WHERE payment_id = $1 AND (${IS_SIGNED})`,
      [paymentId],
    );
    return Number(row?.count ?? 0);
  }

  /** Keeps other withdrawals of the payment from being counted and submitted, on any chain, until the transaction ends. */
  async lockPayment(manager: EntityManager, paymentId: string): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `subsidised-withdrawals:${paymentId}`,
    ]);
  }

  /** Keeps withdrawals of the wallet on this chain from being submitted until the transaction ends. */
  async lockWallet(manager: EntityManager, { walletAddress, chain }: WithdrawalRecord) {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `submitted-withdrawals:${chain}:${walletAddress}`,
    ]);
  }

  /**
   * Stores the withdrawal and the answer to its request.
   * @param visitor visitor that requested it with a publishable key; null for a secret key
   * @param firstCheckMs time until its first comparison with the chain
   * @throws ServiceError 429 where the quota of unsigned withdrawals, or the caller's share of it, is used up
   */
  insert(
    fields: NewWithdrawal,
    { visitor, firstCheckMs }: { visitor: string | null; firstCheckMs: number },
    answer?: SealedAnswer,
  ): Promise<WithdrawalRecord> {
    return this.dataSource.transaction(async (manager) => {
      await this.quota.take(manager, { ...fields, visitor });
      if (answer !== undefined) await insertAnswer(manager, answer);
      const inserted = await manager.save(
        manager.create(Withdrawal, {
          ...fields,
          visitor,
          version: 1,
          signature: null,
          submitted: false,
          submissions: 0,
          status: 'PENDING',
          transactionHash: null,
          failure: null,
          traceparent: currentTraceparent() ?? null,
          dueAt: new Date(Date.now() + firstCheckMs),
        }),
      );
      await this.publish(manager, inserted, 'withdrawal.requested');
      this.metrics.countStatusChange(inserted);
      return inserted;
    });
  }

  /** Applies a fact to a locked withdrawal; null when it changes nothing. */
  async apply(
    manager: EntityManager,
    locked: WithdrawalRecord,
    fact: WithdrawalFact,
  ): Promise<WithdrawalRecord | null> {
    const found = transition(locked, fact);
    if (found === null) return null;
    await manager
      .createQueryBuilder()
      .update(Withdrawal)
      .set({
        ...found.change,
        ...(fact.kind === 'submitted' && { traceparent: currentTraceparent() ?? null }),
        version: locked.version + 1,
        updatedAt: () => 'now()',
      })
      .where({ id: locked.id })
      .execute();
    const changed = await manager.findOneByOrFail(Withdrawal, { id: locked.id });
    await this.publish(manager, changed, found.event);
    if (changed.status !== locked.status) this.metrics.countStatusChange(changed);
    return changed;
  }

  /** Publishes that a node has accepted a transaction of an open withdrawal. */
  async publishBroadcast(
    manager: EntityManager,
    id: string,
    transaction: Pick<BroadcastWithdrawal, 'transaction_hash' | 'is_cancellation'>,
  ): Promise<void> {
    const record = await manager.findOneByOrFail(Withdrawal, { id });
    // The newest event of a withdrawal that has ended tells its end.
    if (record.status !== 'PENDING') return;
    const data: BroadcastWithdrawal = {
      withdraw_id: record.id,
      payment_id: record.paymentId,
      org_id: record.orgId,
      chain: record.chain,
      withdraw_account: record.withdrawAccount,
      ...transaction,
    };
    const type = 'withdrawal.broadcast';
    await this.outbox.append(manager, { topic: TOPICS.withdrawal, type, key: id, data });
  }

  async countSubmission(manager: EntityManager, id: string): Promise<void> {
    await manager.increment(Withdrawal, { id }, 'submissions', 1);
  }

  /** Lists withdrawals that the chain may still change, and locks them in the order of their ids. */
  async lockOpen(
    manager: EntityManager,
    paymentId: string,
    ids: readonly string[],
  ): Promise<WithdrawalRecord[]> {
    return manager.find(Withdrawal, {
      where: { id: In([...ids]), paymentId, status: Not('SUCCESS') },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  findAll(ids: readonly string[]): Promise<WithdrawalRecord[]> {
    return this.dataSource.getRepository(Withdrawal).findBy({ id: In([...ids]) });
  }

  /** Claims further due withdrawals of the chain that are not in flight, the oldest first, under a lease. */
  async claimOthers(chain: string, leaseMs: number, most: number): Promise<string[]> {
    const [rows]: [{ id: string }[], number] = await this.dataSource.query(
      `WITH due AS MATERIALIZED (
         SELECT id AS claimed_id FROM withdrawals
         WHERE due_at <= now() AND chain = $1 AND ${IS_NOT_IN_FLIGHT}
         ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
       )
       UPDATE withdrawals SET due_at = now() + $2 * interval '1 millisecond'
       FROM due WHERE id = due.claimed_id RETURNING id`,
      [chain, leaseMs, most],
    );
    return rows.map(({ id }) => id);
  }

  /** Makes refunds of orders due that have ended on chain, unless they are in flight or over. */
  async checkRefunds(
    manager: EntityManager,
    paymentId: string,
    orderIds: readonly string[],
  ): Promise<void> {
    await manager.query(
      `UPDATE withdrawals SET due_at = now()
       WHERE payment_id = $1 AND refund->>'order_id' = ANY ($2) AND due_at > now() AND ${IS_NOT_IN_FLIGHT}`,
      [paymentId, orderIds],
    );
  }

  /**
   * Schedules the next check of a withdrawal that is not in flight; null ends them. Changes nothing where the withdrawal was
   * submitted or became due since it was claimed.
   */
  async scheduleOther(
    id: string,
    afterMs: number | null,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    await manager.query(
      `UPDATE withdrawals SET due_at = now() + $2::int * interval '1 millisecond'
       WHERE id = $1 AND due_at > now() AND ${IS_NOT_IN_FLIGHT}`,
      [id, afterMs],
    );
  }

  /** Schedules the next comparison with the chain; null ends them. */
  async scheduleCheck(
    id: string,
    afterMs: number | null,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    await manager.query(
      `UPDATE withdrawals SET due_at = now() + $2::int * interval '1 millisecond' WHERE id = $1`,
      [id, afterMs],
    );
  }

  async now(): Promise<Date> {
    const [row]: { now: Date }[] = await this.dataSource.query('SELECT now() AS now');
    if (row === undefined) throw new Error('the database returned no time');
    return row.now;
  }

  private publish(
    manager: EntityManager,
    record: WithdrawalRecord,
    type: WithdrawalEventType,
  ): Promise<void> {
    return this.outbox.append(manager, {
      topic: TOPICS.withdrawal,
      type,
      key: record.id,
      data: withdrawalState(record),
    });
  }
}
