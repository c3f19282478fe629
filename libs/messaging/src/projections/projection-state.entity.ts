import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How the tables that are kept of one topic came to be; a topic without a row has still to be read. */
@Entity('projection_state')
export class ProjectionState {
  @PrimaryColumn('text')
  topic!: string;

  @Column('text', { array: true })
  tables!: string[];

  /** When they were last built from the whole topic. */
  @Column('timestamptz', { nullable: true })
  builtAt!: Date | null;

  /** When somebody asked for them to be built again. */
  @Column('timestamptz', { nullable: true })
  requestedAt!: Date | null;

  /** Of the rebuild under way. */
  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  /** Rows not seen since are not believed. */
  @Column('timestamptz', { nullable: true })
  distrustedBefore!: Date | null;

  @Column('smallint', { default: 0 })
  pass!: number;

  @Column('bigint', { default: 0 })
  records!: string;

  @Column('bigint', { default: 0 })
  failed!: string;

  @Column('bigint', { default: 0 })
  removed!: string;
}
