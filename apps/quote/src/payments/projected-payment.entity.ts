import type {
  AssetIdentifier,
  PaymentStatus,
  SendersState,
  TokenIdentifier,
} from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Newest state of a payment, as far as a requote or a retry needs it. */
@Entity('payments')
export class ProjectedPayment {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('int')
  version!: number;

  @Column('text')
  orgId!: string;

  @Column('text')
  status!: PaymentStatus;

  /** Lower case; derived from the declaration. */
  @Column('text')
  walletAddress!: string;

  @Column('text')
  depositToken!: TokenIdentifier;

  @Column('text')
  outputAsset!: AssetIdentifier;

  @Column('text', { default: 'CLEAR' })
  senders!: SendersState;

  /** Time of the newest event that confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
