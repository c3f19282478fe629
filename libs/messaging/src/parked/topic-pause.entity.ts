import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Topic whose events wait, since most of its keys fail; shared by all processes of the service. */
@Entity('topic_pauses')
export class TopicPause {
  @PrimaryColumn('text')
  topic!: string;

  @Column('timestamptz', { default: () => 'now()' })
  pausedAt!: Date;

  /** Reason of the last failure before the pause. */
  @Column('text')
  reason!: string;
}
