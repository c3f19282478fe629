import type { TimelineEntryType } from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Counts entries that a timeline had no room for. */
@Entity('timeline_omitted')
export class OmittedEntriesEntity {
  @PrimaryColumn({ type: 'uuid' })
  paymentId!: string;

  @PrimaryColumn({ type: 'text' })
  type!: TimelineEntryType;

  @Column({ type: 'bigint' })
  count!: string;

  @Column({ type: 'timestamptz' })
  lastAt!: Date;
}
