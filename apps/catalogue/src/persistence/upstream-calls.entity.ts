import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Calls of all replicas to a data source in one period. */
@Entity('upstream_calls')
export class UpstreamCallsEntity {
  @PrimaryColumn('text')
  upstream!: string;

  /** `minute` or `month`. */
  @PrimaryColumn('text')
  period!: string;

  /** Start of the counted period. */
  @Column('timestamptz')
  since!: Date;

  @Column('integer')
  calls!: number;
}
