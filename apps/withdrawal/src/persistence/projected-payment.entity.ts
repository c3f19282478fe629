import type {
  DeclarationBody,
  IntentOrder,
  PaymentStatus,
  SendersState,
  TokenIdentifier,
  TokenUnits,
} from '@bascule/contracts';
import { IS_OUTDATED, isProjectedBy } from '@bascule/messaging';
import type { RevisedProjection } from '@bascule/messaging';
import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Revision of the projection: increase it with each column that older code does not write. */
export const PAYMENT_REVISION = 3;

/** Projection of a payment. */
@Entity('payments')
@Index('payments_outdated_idx', ['id'], { where: IS_OUTDATED })
@Index('payments_projected_revision_idx', ['projectedRevision'])
@Index(['walletAddress'])
export class ProjectedPayment implements RevisedProjection {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('int')
  version!: number;

  @Column('text')
  orgId!: string;

  @Column('text')
  status!: PaymentStatus;

  @Column('text')
  ownerAddress!: string;

  /** Lower case; the same on every chain. */
  @Column('text')
  walletAddress!: string;

  @Column('text')
  depositToken!: TokenIdentifier;

  @Column(bigintColumn)
  requiredDeposit!: bigint;

  @Column('jsonb')
  declaration!: DeclarationBody;

  /** Oldest first. */
  @Column('jsonb', { default: [] })
  intentOrders!: IntentOrder[];

  @Column('uuid', { nullable: true })
  parentPaymentId!: string | null;

  /** Null until an event tells it, and where older code wrote the row last. */
  @Column('text', { nullable: true })
  senders!: SendersState | null;

  @Column('jsonb', { default: [] })
  frozenTokens!: TokenIdentifier[];

  /** Tokens in the wallet by the payment's facts. */
  @Column('jsonb', { default: [] })
  heldTokens!: TokenIdentifier[];

  /** Money in the wallet whose arrival the payment service has recorded. */
  @Column('jsonb', { default: [] })
  recordedBalances!: TokenUnits[];

  @Column('int', { nullable: true })
  projectedVersion!: number | null;

  @Column('int', { nullable: true })
  projectedRevision!: number | null;

  /** Time of the newest event that confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}

/** Hides what older code did not write: its rows are projected again. */
export const currentSenders = <T extends ProjectedPayment | null>(payment: T): T =>
  payment === null || isProjectedBy(payment, PAYMENT_REVISION)
    ? payment
    : { ...payment, senders: null };
