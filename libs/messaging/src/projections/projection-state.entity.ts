import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Build state of one topic's projections; a topic without a row is not built yet. */
@Entity('projection_state')
export class ProjectionState {
  @PrimaryColumn('text')
  topic!: string;

  @Column('text', { array: true })
  tables!: string[];

  /** Revision of the code that built them. */
  @Column('int', { default: 1 })
  revision!: number;

  /** Start of the last build, also of one that failed. */
  @Column('timestamptz', { nullable: true })
  attemptedAt!: Date | null;

  /** Time of the last build from the whole topic. */
  @Column('timestamptz', { nullable: true })
  builtAt!: Date | null;

  /** Time of a pending rebuild request. */
  @Column('timestamptz', { nullable: true })
  requestedAt!: Date | null;

  /** Start of the rebuild in progress. */
  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  /** Rows with an older `seen_at` are replaced by any event. */
  @Column('timestamptz', { nullable: true })
  distrustedBefore!: Date | null;

  /** Rows with an older `seen_at` are confirmed by any event, and keep their state. */
  @Column('timestamptz', { nullable: true })
  confirmingBefore!: Date | null;

  /** Time of a request whose rebuild may replace rows by older versions, and remove many. */
  @Column('timestamptz', { nullable: true })
  olderAcceptedAt!: Date | null;

  @Column('smallint', { default: 0 })
  pass!: number;

  @Column('bigint', { default: 0 })
  records!: string;

  @Column('bigint', { default: 0 })
  failed!: string;

  @Column('bigint', { default: 0 })
  removed!: string;

  /** Rows that the last rebuild kept, whose version the topic does not have, or which have no event although too many have none. */
  @Column('bigint', { default: 0 })
  newer!: string;
}
