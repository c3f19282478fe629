import type { WebhookEventType } from '@bascule/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { DeliveryStatus } from '../rules/delivery-status.js';

/** Every delivery, from when it is enqueued until its retention ends. Partitioned by the workflow's time. */
@Entity('webhook_delivery_log')
@Index(['id'])
@Index(['orgId', 'createdAt', 'id'])
@Index(['webhookId', 'createdAt', 'id'])
@Index('webhook_delivery_log_failed_idx', ['webhookId', 'finishedAt'], {
  where: "status = 'FAILED'",
})
export class DeliveryLogEntity {
  @Column('uuid')
  id!: string;

  @Column('text')
  orgId!: string;

  @PrimaryColumn('uuid')
  workflowId!: string;

  @PrimaryColumn('uuid')
  webhookId!: string;

  @PrimaryColumn('text')
  eventType!: WebhookEventType;

  @Column('boolean')
  test!: boolean;

  /** Null while it is pending: then the delivery has it. */
  @Column('bytea', { nullable: true })
  body!: Buffer | null;

  @Column('text')
  status!: DeliveryStatus;

  /** Written at the end, of all schedules. */
  @Column('integer', { default: 0 })
  attempts!: number;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
