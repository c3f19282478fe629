import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Written when it has ended, or by whoever finds that its process did. Partitioned by its time. */
@Entity('webhook_attempts')
export class AttemptEntity {
  @PrimaryColumn('uuid')
  deliveryId!: string;

  /** From 1, over all schedules of the delivery. */
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

  /** The start of what the receiver answered. */
  @Column('bytea', { nullable: true })
  answer!: Buffer | null;
}
