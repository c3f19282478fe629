import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { LegFailure, LegStatus } from '../life-cycle/payment-record.js';
import type { StoredConversion, StoredLegSettlement, StoredTransfer } from './payment-row.js';

@Entity('legs')
@Index('legs_payment_id_leg_index_idx', ['paymentId', 'legIndex'], { unique: true })
@Index('legs_due_at_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('legs_bridge_due_at_idx', ['bridge', 'dueAt'], { where: 'due_at IS NOT NULL' })
// An index on an expression exists in the migration only.
@Index('legs_in_bridge_idx', { synchronize: false })
export class LegEntity {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'uuid' })
  paymentId!: string;

  @Column({ type: 'smallint' })
  legIndex!: number;

  @Column({ type: 'text' })
  chain!: string;

  /** Planned bridge; null without one, and for legs of an older version. */
  @Column({ type: 'text', nullable: true })
  bridge!: string | null;

  @Column({ type: 'text' })
  status!: LegStatus;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ type: 'text', nullable: true })
  transactionHash!: string | null;

  /** Conversion of the last attempt; null without one, and for attempts of an older version. */
  @Column({ type: 'jsonb', nullable: true })
  conversion!: StoredConversion | null;

  @Column({ type: 'timestamptz', nullable: true })
  dueAt!: Date | null;

  @Column({ type: 'jsonb', nullable: true })
  settlement!: StoredLegSettlement | null;

  @Column({ type: 'jsonb', nullable: true })
  transfer!: StoredTransfer | null;

  @Column({ type: 'jsonb', nullable: true })
  failure!: LegFailure | null;
}
