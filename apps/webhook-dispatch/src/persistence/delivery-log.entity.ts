import type { WebhookEventType } from '@bascule/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { DeliveryStatus } from '../rules/delivery-status.js';

/** Log of every delivery, from its enqueueing until its retention ends. Partitioned by the time of the workflow. */
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

  /** Null while the delivery is pending, whose row then has the value. */
  @Column('bytea', { nullable: true })
  body!: Buffer | null;

  @Column('text')
  status!: DeliveryStatus;

  /** Attempts of all schedules, written at the end. */
  @Column('integer', { default: 0 })
  attempts!: number;

  @Column('timestamptz')
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
