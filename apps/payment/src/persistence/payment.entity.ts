import type {
  DecimalString,
  DeclarationBody,
  Geolocation,
  KeyMode,
  PaymentPlan,
  Quote,
  QuoteRequest,
  SendersState,
  TokenIdentifier,
} from '@bascule/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TaintCause } from '../life-cycle/payment-record.js';
import { HOLDS_FUNDS } from './holds-funds.js';
import { IS_OPEN, IS_UNFUNDED, IS_UNPUBLISHED } from './open-payments.js';

@Entity('payments')
@Index('payments_due_at_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('payments_unfunded_idx', ['orgId', 'visitor', 'initiateFundBy'], { where: IS_UNFUNDED })
@Index('payments_open_idx', ['status', 'fundedInFullAt'], {
  where: IS_OPEN,
})
@Index('payments_holding_funds_idx', ['orgId', 'ownerAddress', 'createdAt', 'id'], {
  where: HOLDS_FUNDS,
})
@Index('payments_unpublished_idx', ['id'], { where: IS_UNPUBLISHED })
// Indexes on expressions exist in the migration only.
@Index('payments_history_idx', { synchronize: false })
@Index('payments_owner_idx', { synchronize: false })
@Index('payments_destination_idx', { synchronize: false })
@Index('payments_label_idx', { synchronize: false })
@Index('payments_open_native_idx', { synchronize: false })
export class PaymentEntity {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  orgId!: string;

  @Column({ type: 'text', default: 'live' })
  mode!: KeyMode;

  /** Keyed hash of the address block that confirmed it with a publishable key; null for secret keys. */
  @Column({ type: 'text', nullable: true })
  visitor!: string | null;

  @Column({ type: 'text' })
  status!: string;

  @Column({ type: 'text', nullable: true })
  statusBeforeWithdrawal!: string | null;

  @Column({ type: 'boolean' })
  funded!: boolean;

  /** By its recorded facts it holds money; null until its first change after the column was added. */
  @Column({ type: 'boolean', nullable: true })
  holdsFunds!: boolean | null;

  @Column({ type: 'timestamptz', nullable: true })
  fundedInFullAt!: Date | null;

  @Column({ type: 'integer' })
  version!: number;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  @Column({ type: 'timestamptz' })
  updatedAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  completedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  dueAt!: Date | null;

  @Column({ type: 'timestamptz' })
  initiateFundBy!: Date;

  @Column({ type: 'timestamptz' })
  declarationExpiresAt!: Date;

  @Column({ type: 'text' })
  ownerChain!: string;

  @Column({ type: 'text' })
  ownerAddress!: string;

  @Column({ type: 'jsonb', nullable: true })
  ownerChains!: string[] | null;

  @Column({ type: 'text' })
  destinationAddress!: string;

  @Column({ type: 'text' })
  walletAddress!: string;

  @Column({ type: 'jsonb' })
  declaration!: DeclarationBody;

  @Column({ type: 'text' })
  declarationHash!: string;

  @Column({ type: 'jsonb' })
  plan!: PaymentPlan;

  @Column({ type: 'jsonb' })
  quoted!: Quote;

  @Column({ type: 'jsonb' })
  quoteRequest!: QuoteRequest;

  @Column({ type: 'jsonb' })
  currentPrices!: Record<string, DecimalString>;

  @Column({ type: 'text' })
  priceCurrency!: string;

  @Column({ type: 'jsonb' })
  decimals!: Record<string, number>;

  @Column({ type: 'jsonb', nullable: true })
  geolocation!: Geolocation | null;

  @Column({ type: 'text', nullable: true })
  clientRedirectUrl!: string | null;

  @Column({ type: 'text', nullable: true })
  clientRedirectAfter!: string | null;

  @Column({ type: 'text', nullable: true })
  traceparent!: string | null;

  /** Number of stored entries of its timeline. */
  @Column({ type: 'integer', default: 0 })
  timelineLength!: number;

  /** Version that the newest event carries in whole; another one where a version of the service before wrote it. */
  @Column({ type: 'integer', nullable: true })
  publishedVersion!: number | null;

  @Column({ type: 'text', default: 'CLEAR' })
  senders!: SendersState;

  @Column({ type: 'jsonb', default: [] })
  frozenTokens!: TokenIdentifier[];

  /** Sums of small deposits; null without any. */
  @Column({ type: 'jsonb', nullable: true })
  summedDeposits!: unknown;

  @Column({ type: 'text', nullable: true })
  taintedBy!: TaintCause | null;
}
