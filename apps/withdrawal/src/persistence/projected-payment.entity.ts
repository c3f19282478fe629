import type {
  DeclarationBody,
  IntentOrder,
  PaymentStatus,
  SendersState,
  TokenIdentifier,
} from '@bascule/contracts';
import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Projection of a payment. */
@Entity('payments')
@Index(['walletAddress'])
export class ProjectedPayment {
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

  @Column('text', { default: 'CLEAR' })
  senders!: SendersState;

  @Column('jsonb', { default: [] })
  frozenTokens!: TokenIdentifier[];

  /** Time of the newest event that confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
