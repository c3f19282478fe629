import type { RevenueShareReceiver } from '@bascule/contracts';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { OrganisationEntity } from './organisation.entity.js';

/** Revenue share of an organisation; a disabled one stays for the record, and its name may be used again. */
@Entity('revenue_shares')
@Index('revenue_shares_name', ['organisationId', 'name'], {
  unique: true,
  where: 'disabled_at IS NULL',
})
export class RevenueShareEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  organisationId!: string;

  @ManyToOne(() => OrganisationEntity)
  @JoinColumn({ name: 'organisation_id', foreignKeyConstraintName: 'revenue_shares_organisation' })
  organisation?: Relation<OrganisationEntity>;

  @Column('text')
  name!: string;

  @Column('jsonb')
  receivers!: RevenueShareReceiver[];

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;
}
