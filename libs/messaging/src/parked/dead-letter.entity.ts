import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** An event that was given up, with the reason; it waits for an operator. */
@Entity('dead_letters')
@Index('dead_letters_record_key', ['topic', 'partition', 'offset'], { unique: true })
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

  @Column('timestamptz', { nullable: true })
  replayedAt!: Date | null;
}
