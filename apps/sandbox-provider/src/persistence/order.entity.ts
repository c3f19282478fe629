import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { OrderStatus } from '../wire/order-status.js';

/** Outcome of a paid order, simulated by a test. */
export type OrderOutcome = 'delivered' | 'failed' | 'refunded';

/** A customer's order at one provider. */
@Entity('orders')
@Unique(['provider', 'partnerOrderId'])
@Index(['dueAt'], { where: 'due_at IS NOT NULL' })
export class Order {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  provider!: string;

  /** Partner's order id, unique per provider. */
  @Column('text')
  partnerOrderId!: string;

  @Column('text', { default: 'open' })
  status!: OrderStatus;

  @Column('text')
  fiat!: string;

  @Column('text')
  fiatAmount!: string;

  @Column('text')
  paymentMethod!: string;

  @Column('text')
  network!: string;

  @Column('text')
  contract!: string;

  @Column('text')
  walletAddress!: string;

  @Column(bigintColumn)
  cryptoAmount!: bigint;

  @Column('text')
  feeTotal!: string;

  @Column('text', { nullable: true })
  redirectUrl!: string | null;

  /** Delay between the customer's decision to pay and the arrival of the money. */
  @Column('int', { default: 0 })
  paymentSeconds!: number;

  /** Time of the decision where the money arrives later. */
  @Column('timestamptz', { nullable: true })
  paymentStartedAt!: Date | null;

  /** Delay between payment and transfer. */
  @Column('int')
  deliverySeconds!: number;

  /** Delivered share of `cryptoAmount`; below 10000 delivers too little. */
  @Column('int', { default: 10_000 })
  deliverBps!: number;

  @Column('text', { default: 'delivered' })
  outcome!: OrderOutcome;

  @Column('boolean', { default: false })
  losesCallbacks!: boolean;

  @Column({ ...bigintColumn, nullable: true })
  deliveredAmount!: bigint | null;

  @Column('text', { nullable: true })
  transactionHash!: string | null;

  @Column('text', { nullable: true })
  failureReason!: string | null;

  @Column('timestamptz', { nullable: true })
  paidAt!: Date | null;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;

  /** Next action: expiry or arrival of the money while unpaid, delivery once paid, next check while sending. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;
}
