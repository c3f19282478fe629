import type { TokenAmount, WithdrawalStatus } from '@bascule/contracts';
import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { StoredMinedWithdrawal } from './payment-row.js';

/** Withdrawals, from the withdrawal service's events and from chains. */
@Entity('withdrawals')
// An index on an expression exists in the migration only.
@Index('withdrawals_landed_idx', { synchronize: false })
export class WithdrawalEntity {
  @PrimaryColumn({ type: 'uuid' })
  paymentId!: string;

  @PrimaryColumn({ type: 'text' })
  chain!: string;

  @PrimaryColumn(bigintColumn)
  nonce!: bigint;

  @Column({ type: 'text' })
  withdrawId!: string;

  @Column({ type: 'text', nullable: true })
  orderId!: string | null;

  @Column({ type: 'jsonb' })
  tokenAmounts!: TokenAmount[];

  @Column({ type: 'text', nullable: true })
  recipientAddress!: string | null;

  @Column({ type: 'boolean' })
  acceptBlame!: boolean;

  @Column({ type: 'boolean' })
  submitted!: boolean;

  @Column({ type: 'text' })
  status!: WithdrawalStatus;

  @Column({ type: 'text', nullable: true })
  transactionHash!: string | null;

  @Column({ type: 'text', nullable: true })
  failure!: string | null;

  @Column({ type: 'bigint' })
  version!: string;

  @Column({ type: 'jsonb', nullable: true })
  landed!: StoredMinedWithdrawal | null;

  /** Mined long ago: the payment is read without it. */
  @Column({ type: 'boolean', default: false })
  isPast!: boolean;
}
