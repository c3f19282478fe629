import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many calls all replicas together have made to a data source. */
@Entity('upstream_calls')
export class UpstreamCallsEntity {
  @PrimaryColumn('text')
  upstream!: string;

  /** `minute` or `month`. */
  @PrimaryColumn('text')
  period!: string;

  /** When the period began that is being counted. */
  @Column('timestamptz')
  since!: Date;

  @Column('integer')
  calls!: number;
}
