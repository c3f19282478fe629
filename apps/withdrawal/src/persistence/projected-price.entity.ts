import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('prices')
export class ProjectedPrice {
  @PrimaryColumn('text')
  asset!: string;

  @Column('bigint')
  version!: string;

  /** Of one whole unit. */
  @Column('text')
  usd!: string;

  @Column('timestamptz')
  observedAt!: Date;
}
