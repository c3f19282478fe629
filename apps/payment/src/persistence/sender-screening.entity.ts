import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** Sender of a payment's deposits, with the last verdict about it. */
@Entity('sender_screenings')
@Unique(['paymentId', 'address'])
@Index('sender_screenings_due_at_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('sender_screenings_judged_by_idx', ['judgedBy', 'paymentId'])
export class SenderScreeningEntity {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'uuid' })
  paymentId!: string;

  /** Lower case. */
  @Column({ type: 'text' })
  address!: string;

  /** Null until it is screened. */
  @Column({ type: 'boolean', nullable: true })
  sanctioned!: boolean | null;

  @Column({ type: 'timestamptz', nullable: true })
  dueAt!: Date | null;

  /** Revision of the rules that applied its verdict to the payment; a trigger sets it to 0 while the sender is due. */
  @Column({ type: 'integer', default: 0 })
  judgedBy!: number;
}
