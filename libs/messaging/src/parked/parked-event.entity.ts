import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Event whose handler failed, or that queues behind one of the same key. */
@Entity('parked_events')
@Index('parked_events_content_key', { synchronize: false })
@Index('parked_events_queue_idx', ['topic', 'key', 'id'])
@Index('parked_events_due_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('parked_events_group_idx', ['topic', 'failureGroup', 'dueAt'], {
  where: 'due_at IS NOT NULL',
})
export class ParkedEvent {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  topic!: string;

  @Column('integer')
  partition!: number;

  @Column('bigint')
  offset!: string;

  @Column('text')
  key!: string;

  @Column('jsonb')
  headers!: Record<string, string>;

  @Column('bytea')
  value!: Buffer;

  @Column('integer')
  attempts!: number;

  /** Null while it waits behind another event of its key. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  parkedAt!: Date;

  /** Group in which its failure counts, as `failureGroup` tells; null in rows of older versions. */
  @Column('text', { nullable: true })
  failureGroup!: string | null;
}
