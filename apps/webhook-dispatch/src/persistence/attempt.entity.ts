import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Attempt, written when it ends or after its process has crashed. Partitioned by its start. */
@Entity('webhook_attempts')
export class AttemptEntity {
  @PrimaryColumn('uuid')
  deliveryId!: string;

  /** Number from 1, over all schedules of the delivery. */
  @PrimaryColumn('integer')
  number!: number;

  @PrimaryColumn('timestamptz')
  startedAt!: Date;

  /** Destination of the attempt: the URL of a webhook may change. */
  @Column('text', { nullable: true })
  url!: string | null;

  @Column('integer', { nullable: true })
  durationMs!: number | null;

  @Column('text')
  outcome!: string;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('integer', { nullable: true })
  statusCode!: number | null;

  @Column('text', { nullable: true })
  answerType!: string | null;

  /** Start of the answer of the receiver. */
  @Column('bytea', { nullable: true })
  answer!: Buffer | null;
}
