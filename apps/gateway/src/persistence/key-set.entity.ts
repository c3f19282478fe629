import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import type { Relation } from 'typeorm';
import { OrganisationEntity } from './organisation.entity.js';

@Entity('key_sets')
@Check('key_sets_rate_limit', 'rate_limit > 0')
@Check('key_sets_client_rate_limit', 'client_rate_limit > 0')
@Unique('key_sets_label', ['organisationId', 'label'])
export class KeySetEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  organisationId!: string;

  @ManyToOne(() => OrganisationEntity)
  @JoinColumn({ name: 'organisation_id', foreignKeyConstraintName: 'key_sets_organisation' })
  organisation?: Relation<OrganisationEntity>;

  @Column('text')
  label!: string;

  @Column('text', { array: true })
  permissions!: string[];

  /** Opt-in payment methods of its keys. */
  @Column('text', { array: true, default: [] })
  methods!: string[];

  /** Units per window of each of its keys; null for the deployment's default. */
  @Column('integer', { nullable: true })
  rateLimit!: number | null;

  /** Units per window of one client address with its publishable key; null for the deployment's default. */
  @Column('integer', { nullable: true })
  clientRateLimit!: number | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
