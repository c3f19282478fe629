import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** `dropped`: its nonce was used by another transaction, so it can never be mined. */
export type TransactionStatus = 'pending' | 'success' | 'reverted' | 'dropped';

/** Transaction that a service sends at most once. Its nonce is reserved; it has no attempt until its key has signed it. */
@Entity('chain_transactions')
@Unique(['reference'])
@Unique(['chain', 'signer', 'nonce'])
@Index(['dueAt', 'chain'], { where: 'due_at IS NOT NULL' })
export class ChainTransaction {
  @PrimaryColumn('uuid')
  id!: string;

  /** Unique name given by the caller. */
  @Column('text')
  reference!: string;

  @Column('text')
  chain!: string;

  @Column('text')
  signer!: string;

  @Column(bigintColumn)
  nonce!: bigint;

  @Column('text')
  target!: string;

  @Column('text')
  data!: string;

  @Column(bigintColumn)
  value!: bigint;

  @Column(bigintColumn)
  gasLimit!: bigint;

  /** Bound of the cost of any attempt, the value not included, in wei; null without one. */
  @Column({ ...bigintColumn, nullable: true })
  maxCost!: bigint | null;

  /** Fees at which the first attempt is signed, in wei; null: those of the market at that time. */
  @Column({ ...bigintColumn, nullable: true })
  maxFeePerGas!: bigint | null;

  @Column({ ...bigintColumn, nullable: true })
  maxPriorityFeePerGas!: bigint | null;

  @Column('text', { default: 'pending' })
  status!: TransactionStatus;

  /** Hash of the mined attempt. */
  @Column('text', { nullable: true })
  hash!: string | null;

  @Column({ ...bigintColumn, nullable: true })
  blockNumber!: bigint | null;

  /** Cost of the mined attempt, in wei. */
  @Column({ ...bigintColumn, nullable: true })
  gasCost!: bigint | null;

  /** Trace it was recorded in; later steps join it. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** Until then it is sent to the chain's private endpoints alone; null where it is public from the start. */
  @Column('timestamptz', { nullable: true })
  privateUntil!: Date | null;

  @Column('timestamptz', { nullable: true })
  settledAt!: Date | null;

  /** When an operator gave up its signature: from then on its key only uses the nonce, if it is ever back. */
  @Column('timestamptz', { nullable: true })
  abandonedAt!: Date | null;

  /** Operator who did that. */
  @Column('text', { nullable: true })
  abandonedBy!: string | null;
}
