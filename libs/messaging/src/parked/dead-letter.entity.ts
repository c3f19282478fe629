import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Event whose attempts are exhausted, with the reason; waits for an operator. */
@Entity('dead_letters')
@Index('dead_letters_content_key', { synchronize: false })
@Index('dead_letters_waiting_idx', ['id'], {
  where: 'replayed_at IS NULL AND discarded_at IS NULL',
})
export class DeadLetter {
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

  @Column('text')
  reason!: string;

  @Column('timestamptz', { default: () => 'now()' })
  deadAt!: Date;

  /** Times the event became a dead letter: a replay may fail again. */
  @Column('integer', { default: 1 })
  deaths!: number;

  @Column('timestamptz', { nullable: true })
  replayedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  discardedAt!: Date | null;

  @Column('text', { nullable: true })
  resolvedBy!: string | null;
}
