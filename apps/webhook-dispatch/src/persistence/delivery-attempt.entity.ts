import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Written before the request is sent; one without an outcome was cut short by the end of its process. */
@Entity('webhook_delivery_attempts')
export class DeliveryAttemptEntity {
  @PrimaryColumn('uuid')
  deliveryId!: string;

  /** From 1. */
  @PrimaryColumn('integer')
  number!: number;

  @Column('timestamptz', { default: () => 'now()' })
  startedAt!: Date;

  @Column('integer', { nullable: true })
  durationMs!: number | null;

  @Column('text', { nullable: true })
  outcome!: string | null;

  @Column('integer', { nullable: true })
  statusCode!: number | null;

  @Column('text', { nullable: true })
  reason!: string | null;
}
