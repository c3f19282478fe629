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

  /** When a fact last confirmed it. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
