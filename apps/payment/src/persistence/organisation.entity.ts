import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Projection of the settings of organisations. */
@Entity('organisations')
export class OrganisationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('integer')
  version!: number;

  @Column('jsonb')
  redirectOrigins!: string[];

  /** Quota of payments that wait for funds; null: the deployment's. */
  @Column('integer', { nullable: true })
  maxUnfundedPayments!: number | null;

  /** Last time an event confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
