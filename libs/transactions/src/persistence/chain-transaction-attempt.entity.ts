import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import type { Relation } from 'typeorm';
import { ChainTransaction } from './chain-transaction.entity.js';

/** `payload`: the requested call; `cancellation`: a self-transfer that uses the nonce. */
export type AttemptPurpose = 'payload' | 'cancellation';

/** Signed bytes of a transaction. All its attempts share one nonce, so at most one is mined. */
@Entity('chain_transaction_attempts')
@Unique(['hash'])
export class ChainTransactionAttempt {
  @PrimaryColumn('uuid')
  transactionId!: string;

  /** The first attempt is 1. */
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

  /** First acceptance by a node. */
  @Column('timestamptz', { nullable: true })
  broadcastAt!: Date | null;
}
