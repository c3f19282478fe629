import type { WebhookEventType } from '@bascule/contracts';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { DeliveryStatus } from '../rules/delivery-status.js';

/** Pending delivery; the table stays small, since ended ones leave it. */
@Entity('webhook_deliveries')
@Unique(['workflowId', 'webhookId', 'eventType'])
@Index(['dueAt'], { where: 'due_at IS NOT NULL' })
@Index(['webhookId', 'dueAt'], { where: 'due_at IS NOT NULL' })
@Index(['finishedAt'], { where: 'finished_at IS NOT NULL' })
@Index('webhook_deliveries_pending_idx', ['webhookId'], { where: "status = 'PENDING'" })
export class DeliveryEntity {
  /** Id on which receivers de-duplicate. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  webhookId!: string;

  @Column('uuid')
  workflowId!: string;

  @Column('text')
  eventType!: WebhookEventType;

  /** Bytes that every attempt sends; the log takes them over at the end. */
  @Column('bytea')
  body!: Buffer;

  /** Status; other than `PENDING` only for rows of the version before the log. */
  @Column('text')
  status!: DeliveryStatus;

  /** Attempts of this schedule, the current one included. */
  @Column('integer', { default: 0 })
  attempts!: number;

  @Column('timestamptz', { nullable: true })
  firstAttemptAt!: Date | null;

  /** Time of the next attempt, or the end of the current lease. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;

  /** True for a test of the receiver, without a real payment. */
  @Column('boolean', { default: false })
  test!: boolean;

  /** True for a resent delivery, which the log already contains. */
  @Column('boolean', { default: false })
  resent!: boolean;

  /** Attempts of earlier schedules. */
  @Column('integer', { default: 0 })
  earlierAttempts!: number;

  /** Start of the attempt in flight; null without one. */
  @Column('timestamptz', { nullable: true })
  claimedAt!: Date | null;

  @Column('text', { nullable: true })
  traceparent!: string | null;
}
