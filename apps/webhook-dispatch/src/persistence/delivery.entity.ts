import type { WebhookEventType } from '@bascule/contracts';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { DeliveryStatus } from '../rules/delivery-status.js';

/** Only what is still to be delivered: it stays small, whatever has been delivered before. */
@Entity('webhook_deliveries')
@Unique(['workflowId', 'webhookId', 'eventType'])
@Index(['dueAt'], { where: 'due_at IS NOT NULL' })
@Index(['webhookId', 'dueAt'], { where: 'due_at IS NOT NULL' })
@Index(['finishedAt'], { where: 'finished_at IS NOT NULL' })
@Index('webhook_deliveries_pending_idx', ['webhookId'], { where: "status = 'PENDING'" })
export class DeliveryEntity {
  /** Receivers de-duplicate on it. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  webhookId!: string;

  @Column('uuid')
  workflowId!: string;

  @Column('text')
  eventType!: WebhookEventType;

  /** The bytes that every attempt sends; the log takes them over at the end. */
  @Column('bytea')
  body!: Buffer;

  /** Another one than `PENDING` only from the version before the log. */
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

  /** Tells of nothing that happened: the organisation tries its receiver. */
  @Column('boolean', { default: false })
  test!: boolean;

  /** Somebody started a new schedule for what had ended; the log has it already. */
  @Column('boolean', { default: false })
  resent!: boolean;

  /** Attempts of earlier schedules. */
  @Column('integer', { default: 0 })
  earlierAttempts!: number;

  /** The start of the attempt under way; null when there is none. */
  @Column('timestamptz', { nullable: true })
  claimedAt!: Date | null;

  @Column('text', { nullable: true })
  traceparent!: string | null;
}
