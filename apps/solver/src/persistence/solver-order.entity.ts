import { bigintColumn } from '@bascule/persistence';
import type { OrderJson } from '@bascule/solidity';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SolverOrderStatus } from '../life-cycle/order-status.js';

/** Order that was seen in a final block. */
@Entity('orders')
@Index(['dueAt'], { where: `due_at IS NOT NULL AND status = 'SEEN' AND retries = 0` })
@Index('orders_retried_due_at_idx', ['dueAt'], {
  where: `due_at IS NOT NULL AND status = 'SEEN' AND retries > 0`,
})
@Index('orders_filled_due_at_idx', ['dueAt'], {
  where: `due_at IS NOT NULL AND status <> 'SEEN'`,
})
@Index(['destination', 'outputToken'], { where: `status IN ('SEEN', 'FILLING')` })
export class SolverOrder {
  @PrimaryColumn('text')
  id!: string;

  /** Names of chains; null for an unknown chain. */
  @Column('text')
  origin!: string;

  @Column('text', { nullable: true })
  destination!: string | null;

  /** Lower case. */
  @Column('text')
  outputToken!: string;

  /** Output of our fill; null when declined. */
  @Column({ ...bigintColumn, nullable: true })
  outputAmount!: bigint | null;

  @Column('jsonb')
  body!: OrderJson;

  @Column('text')
  status!: SolverOrderStatus;

  /** Reason of `DECLINED`, `GONE` or `LOST`. */
  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('int', { default: 0 })
  fillAttempts!: number;

  @Column('int', { default: 0 })
  claimAttempts!: number;

  /** Looks in a row at a seen order that could not be filled. */
  @Column('int', { default: 0 })
  retries!: number;

  /** Whether quotes leave a seen order its output; not where its fill does not pay, or reverts. */
  @Column('boolean', { default: true })
  isReserving!: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;

  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;
}
