import type { PaymentMethod } from '@bascule/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { CheckoutStatus } from '../life-cycle/payment-record.js';

/** The one order of an onramp payment at its provider. */
@Entity('checkouts')
@Index('checkouts_due_at_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('checkouts_provider_due_at_idx', ['provider', 'dueAt'], { where: 'due_at IS NOT NULL' })
export class CheckoutEntity {
  @PrimaryColumn({ type: 'uuid' })
  paymentId!: string;

  @Column({ type: 'text' })
  provider!: string;

  @Column({ type: 'text' })
  method!: PaymentMethod;

  @Column({ type: 'text', nullable: true })
  checkoutId!: string | null;

  @Column({ type: 'text', nullable: true })
  url!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  urlExpiresAt!: Date | null;

  @Column({ type: 'text' })
  status!: CheckoutStatus;

  @Column({ type: 'timestamptz', nullable: true })
  paidAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  transactionHash!: string | null;

  @Column({ type: 'text', nullable: true })
  failure!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  polledAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  dueAt!: Date | null;

  /** Callbacks that made it due. */
  @Column({ type: 'integer', default: 0 })
  callbacks!: number;
}
