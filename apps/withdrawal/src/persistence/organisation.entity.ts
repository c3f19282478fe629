import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Projection of the settings of organisations. */
@Entity('organisations')
export class OrganisationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('integer')
  version!: number;

  /** Quota of withdrawals that wait for a signature; null: the deployment's. */
  @Column('integer', { nullable: true })
  maxUnsignedWithdrawals!: number | null;

  /** Last time an event confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
