import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** `dropped`: its nonce was used by something else, so it can never land. */
export type TransactionStatus = 'pending' | 'success' | 'reverted' | 'dropped';

/** Something a service wants done on a chain, at most once. */
@Entity('chain_transactions')
@Unique(['reference'])
@Unique(['chain', 'signer', 'nonce'])
@Index(['dueAt'], { where: 'due_at IS NOT NULL' })
export class ChainTransaction {
  @PrimaryColumn('uuid')
  id!: string;

  /** The caller's name for it. */
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

  @Column('text', { default: 'pending' })
  status!: TransactionStatus;

  /** Of the attempt that landed. */
  @Column('text', { nullable: true })
  hash!: string | null;

  @Column({ ...bigintColumn, nullable: true })
  blockNumber!: bigint | null;

  /** What the landed attempt cost, in wei. */
  @Column({ ...bigintColumn, nullable: true })
  gasCost!: bigint | null;

  /** The trace it was recorded in, which everything about it belongs to. */
  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  settledAt!: Date | null;
}
