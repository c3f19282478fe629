import type {
  DeclarationBody,
  TokenAmount,
  WithdrawAccount,
  WithdrawalStatus,
} from '@bascule/contracts';
import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { StoredRefund } from '../life-cycle/stored-refund.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';

/** SQL condition on `withdrawals`, the same text as in the partial index `withdrawals_unsigned_idx`. */
export const IS_UNSIGNED = "status = 'PENDING' AND NOT submitted";
/** The same of `withdrawals_in_flight_idx`. */
export const IS_IN_FLIGHT = "status = 'PENDING' AND submitted";
/** Complement of {@link IS_IN_FLIGHT}, the same text as in `withdrawals_due_at_others_idx`. */
export const IS_NOT_IN_FLIGHT = "NOT (status = 'PENDING' AND submitted)";
/** The same of `withdrawals_signed_idx`: only the owner's signature leads there. */
export const IS_SIGNED = "submitted OR status = 'SUCCESS'";

@Entity('withdrawals')
@Index('withdrawals_unsigned_idx', ['orgId', 'expiresAt', 'paymentId', 'visitor'], {
  where: IS_UNSIGNED,
})
@Index('withdrawals_in_flight_idx', ['walletAddress', 'chain'], { where: IS_IN_FLIGHT })
@Index('withdrawals_signed_idx', ['paymentId'], { where: IS_SIGNED })
@Index(['paymentId', 'expiresAt'])
@Index('withdrawals_due_at_in_flight_idx', ['dueAt', 'orgId'], {
  where: `due_at IS NOT NULL AND ${IS_IN_FLIGHT}`,
})
@Index('withdrawals_due_at_others_idx', ['dueAt', 'chain'], {
  where: `due_at IS NOT NULL AND ${IS_NOT_IN_FLIGHT}`,
})
@Index(['dueAt'], { where: 'due_at IS NOT NULL' })
@Index(['reducedFeeRoot'], { unique: true, where: 'submitted' })
export class Withdrawal implements WithdrawalRecord {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('int')
  version!: number;

  @Column('uuid')
  paymentId!: string;

  @Column('text')
  orgId!: string;

  /** Keyed hash of the address block that requested it with a publishable key; null for secret keys. */
  @Column('text', { nullable: true })
  visitor!: string | null;

  @Column('text')
  chain!: string;

  @Column('text')
  walletAddress!: string;

  @Column('text')
  ownerAddress!: string;

  @Column('text')
  withdrawAccount!: WithdrawAccount;

  @Column('jsonb')
  tokenAmounts!: TokenAmount[];

  @Column('text')
  recipientAddress!: string;

  @Column('boolean')
  acceptBlame!: boolean;

  @Column(bigintColumn)
  nonce!: bigint;

  @Column('jsonb')
  declaration!: DeclarationBody;

  @Column('text', { name: 'typed_data' })
  authorization!: string;

  @Column('jsonb', { nullable: true })
  refund!: StoredRefund | null;

  @Column('uuid', { nullable: true })
  reducedFeeRoot!: string | null;

  @Column({ ...bigintColumn, nullable: true })
  maxCostWei!: bigint | null;

  @Column({ ...bigintColumn, nullable: true })
  repaidWei!: bigint | null;

  @Column('text', { nullable: true })
  signature!: string | null;

  @Column('boolean')
  submitted!: boolean;

  @Column('int')
  submissions!: number;

  @Column('text')
  status!: WithdrawalStatus;

  @Column('text', { nullable: true })
  transactionHash!: string | null;

  @Column('text', { nullable: true })
  failure!: string | null;

  @Column(bigintColumn)
  fromBlock!: bigint;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('text', { nullable: true })
  traceparent!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updatedAt!: Date;

  /** Next comparison with the chain; null once settled for good. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;
}
