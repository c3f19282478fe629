import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import type { Relation } from 'typeorm';
import { ChainTransaction } from './chain-transaction.entity.js';

/** `payload` does what was asked; `cancellation` only uses the nonce up. */
export type AttemptPurpose = 'payload' | 'cancellation';

/** Signed bytes that may land. All attempts of a transaction have its nonce, so at most one does. */
@Entity('chain_transaction_attempts')
@Unique(['hash'])
export class ChainTransactionAttempt {
  @PrimaryColumn('uuid')
  transactionId!: string;

  /** From 1. */
  @PrimaryColumn('int')
  number!: number;

  @ManyToOne(() => ChainTransaction)
  @JoinColumn({ name: 'transaction_id' })
  transaction!: Relation<ChainTransaction>;

  @Column('text')
  purpose!: AttemptPurpose;

  @Column('text')
  hash!: string;

  @Column('text')
  rawTransaction!: string;

  @Column(bigintColumn)
  maxFeePerGas!: bigint;

  @Column(bigintColumn)
  maxPriorityFeePerGas!: bigint;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** When a node first accepted it. */
  @Column('timestamptz', { nullable: true })
  broadcastAt!: Date | null;
}
