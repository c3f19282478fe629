import { TOPICS } from '@bascule/contracts';
import type { PaymentEventType } from '@bascule/contracts';
import { Outbox } from '@bascule/messaging';
import { currentTraceparent, joinTrace, ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Hash } from 'viem';
import { lockPayment } from './payment-lock.repository.js';
import { PAYMENT_POLICY } from '../config/payment.config.js';
import { derive } from '../life-cycle/derive.js';
import { holdsFunds } from '../life-cycle/holds-funds.js';
import { eventTypeOf } from '../life-cycle/transitions.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentPolicy } from '../life-cycle/policy.js';
import { IS_UNPUBLISHED } from './open-payments.js';
import { PaymentMetricsService } from './payment-metrics.service.js';
import type { NewEntry } from '../timeline/entry.js';
import { changeEntries } from '../timeline/payment-entries.js';
import { paymentState } from '../view/payment-view.js';
import { DepositSumsRepository } from './deposit-sums.repository.js';
import { writeChildren } from './payment-children.repository.js';
import { PaymentReaderRepository } from './payment-reader.repository.js';
import { depositOf, toJson } from './payment-row.js';
import { TimelineRepository, traceIdOf } from './timeline.repository.js';
import type { TimelineEnd } from './timeline.repository.js';

/** Returns the changed payment, or the same object for no change. */
export type Mutation = (payment: PaymentRecord, now: Date) => PaymentRecord;

/**
 * Changes rows that a payment is not read with one by one, under its lock and before the mutation.
 * @returns whether the payment must be read again
 */
export type Preparation = (payment: PaymentRecord, now: Date) => Promise<boolean>;

/** The only writer of confirmed payments: change, derived state, timeline and event commit together. */
@Injectable()
export class PaymentStoreRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reader: PaymentReaderRepository,
    private readonly sums: DepositSumsRepository,
    private readonly outbox: Outbox,
    private readonly timelines: TimelineRepository,
    private readonly metrics: PaymentMetricsService,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_POLICY) private readonly policy: PaymentPolicy,
  ) {}

  /**
   * Locks the payment, applies the mutation, writes the changes, bumps the version and appends the timeline's entries
   * and the event, all in the caller's transaction. Null for an unknown payment.
   * @param prepare runs after the lock and before the mutation
   */
  async change(
    manager: EntityManager,
    paymentId: string,
    mutate: Mutation,
    prepare?: Preparation,
  ): Promise<PaymentRecord | null> {
    if (manager.queryRunner?.isTransactionActive !== true) {
      throw new Error('a payment must be changed within a database transaction');
    }
    let found = await this.lock(manager, paymentId);
    if (found === null) return null;
    if ((await prepare?.(found.payment, found.now)) === true) {
      found = await this.lock(manager, paymentId);
      if (found === null) return null;
    }
    const { payment: before, now, timelineLength } = found;
    const mutated = mutate(before, now);
    if (mutated === before) return before;
    const after = { ...derive(mutated, now), version: before.version + 1, updatedAt: now };
    const end = { paymentId, length: timelineLength, now, traceId: traceOf(before) };
    await this.inTraceOf(before, () => this.write(manager, before, after, end));
    this.metrics.changed(before, after);
    return after;
  }

  /**
   * Applies the mutation, and publishes the payment also where nothing changed but a version of the service before wrote
   * the newest event.
   */
  async republish(manager: EntityManager, paymentId: string, mutate: Mutation): Promise<void> {
    const payment = await this.change(manager, paymentId, mutate);
    const [rows]: [{ now: Date }[], number] = await manager.query(
      `UPDATE payments SET published_version = version WHERE id = $1 AND ${IS_UNPUBLISHED}
       RETURNING clock_timestamp() AS now`,
      [paymentId],
    );
    const [republished] = rows;
    if (payment === null || republished === undefined) return;
    const { now } = republished;
    await this.inTraceOf(payment, () => this.publish(manager, payment, 'payment.updated', now));
  }

  /** Appends an entry as {@link note} does, in a transaction of its own. */
  async noteNow(paymentId: string, entry: NewEntry): Promise<void> {
    await this.dataSource.transaction((manager) => this.note(manager, paymentId, entry));
  }

  /**
   * Appends an entry that changes no state of the payment, in the caller's transaction. It is left out when it repeats
   * the newest one of its leg, or any one without a leg.
   */
  async note(manager: EntityManager, paymentId: string, entry: NewEntry): Promise<void> {
    const found = await this.lock(manager, paymentId);
    if (found === null) return;
    const { payment, now, timelineLength: length } = found;
    if (await this.timelines.isRepeated(manager, paymentId, entry)) return;
    const end = { paymentId, length, now, traceId: traceOf(payment) };
    const after = await this.timelines.append(manager, end, [entry]);
    await manager.query('UPDATE payments SET timeline_length = $2 WHERE id = $1', [
      paymentId,
      after,
    ]);
  }

  /**
   * Sets the transaction that executes a leg at present, which is a fact of the chain and no change of the payment. Call
   * it after {@link note}, which locks the payment.
   */
  async legSent(
    manager: EntityManager,
    { paymentId, legIndex, attempt }: { paymentId: string; legIndex: number; attempt: number },
    hash: Hash,
  ): Promise<void> {
    await manager.query(
      `UPDATE legs SET transaction_hash = $4
       WHERE payment_id = $1 AND leg_index = $2 AND attempts = $3 AND status = 'EXECUTING'`,
      [paymentId, legIndex, attempt, hash],
    );
  }

  /** Changes the payment in a transaction of its own. */
  async changeNow(paymentId: string, mutate: Mutation): Promise<PaymentRecord | null> {
    return this.dataSource.transaction((manager) => this.change(manager, paymentId, mutate));
  }

  private async lock(manager: EntityManager, paymentId: string) {
    // Two statements: a single one that waited for the lock would read the parts as of before the wait.
    await lockPayment(manager, paymentId);
    const found = await this.reader.find(paymentId, manager);
    if (found?.hasSums !== true) return found;
    const sums = await this.sums.read(manager, paymentId);
    const singles = found.payment.deposits.filter(({ sum }) => sum === undefined);
    const deposits = [...sums.map(depositOf), ...singles];
    return { ...found, payment: { ...found.payment, deposits } };
  }

  /** Joins the trace of the confirm request, whatever made the change. */
  private inTraceOf({ traceparent }: PaymentRecord, write: () => Promise<void>): Promise<void> {
    return traceparent === null ? write() : joinTrace(traceparent, write, this.context.name);
  }

  private async write(
    manager: EntityManager,
    before: PaymentRecord,
    after: PaymentRecord,
    end: TimelineEnd,
  ): Promise<void> {
    const entries = changeEntries(before, after, this.policy);
    const timelineLength = await this.timelines.append(manager, end, entries);
    await manager.query(
      `UPDATE payments SET status = $2, status_before_withdrawal = $3, funded = $4,
         funded_in_full_at = $5, version = $6, updated_at = $7, completed_at = $8, due_at = $9,
         timeline_length = $10, senders = $11, tainted_by = $12, frozen_tokens = $13,
         holds_funds = $14, published_version = $6,
         summed_deposits = CASE WHEN summed_deposits IS NULL THEN NULL ELSE $15::jsonb END
       WHERE id = $1`,
      [
        after.id,
        after.status,
        after.statusBeforeWithdrawal,
        after.funded,
        after.fundedInFullAt,
        after.version,
        after.updatedAt,
        after.completedAt,
        after.dueAt,
        timelineLength,
        after.senders,
        after.taintedBy,
        JSON.stringify(after.frozenTokens),
        holdsFunds(after),
        toJson(after.deposits.filter(({ sum }) => sum !== undefined)),
      ],
    );
    await writeChildren(manager, before, after);
    const type = eventTypeOf(before, after);
    await this.publish(manager, after, type, end.now);
    const { id, status, version } = after;
    this.context.logger.info({ payment_id: id, event: type, status, version }, 'payment changed');
  }

  private publish(
    manager: EntityManager,
    payment: PaymentRecord,
    type: PaymentEventType,
    now: Date,
  ): Promise<void> {
    return this.outbox.append(manager, {
      topic: TOPICS.payment,
      type,
      key: payment.id,
      data: paymentState(payment, this.policy, now),
    });
  }
}

/** A withdrawal's own request may have led to the change, else the confirm request. */
const traceOf = ({ traceparent }: PaymentRecord): string | null =>
  traceIdOf(currentTraceparent() ?? traceparent);
