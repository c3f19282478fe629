import type { WebhookEventType } from '@bascule/contracts';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';

@Entity('webhook_deliveries')
@Unique(['workflowId', 'webhookId', 'eventType'])
@Index(['dueAt'], { where: 'due_at IS NOT NULL' })
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

  /** The bytes that every attempt sends. */
  @Column('bytea')
  body!: Buffer;

  @Column('text')
  status!: DeliveryStatus;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column('timestamptz', { nullable: true })
  firstAttemptAt!: Date | null;

  /** Of the next attempt, or the end of the lease of the one under way; null when there is none. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
