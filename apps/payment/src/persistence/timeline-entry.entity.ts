import type { TimelineEntryType, TimelineFacts } from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Append-only: a trigger refuses updates and deletions. */
@Entity('timeline_entries')
export class TimelineEntryEntity {
  @PrimaryColumn({ type: 'uuid' })
  paymentId!: string;

  /** From 1, without gaps. */
  @PrimaryColumn({ type: 'integer' })
  sequence!: number;

  @Column({ type: 'timestamptz' })
  recordedAt!: Date;

  @Column({ type: 'text' })
  type!: TimelineEntryType;

  @Column({ type: 'text', nullable: true })
  traceId!: string | null;

  @Column({ type: 'jsonb' })
  facts!: TimelineFacts;
}
