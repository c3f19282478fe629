import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique } from 'typeorm';
import type { Relation } from 'typeorm';
import type { OrganisationQuotas } from '@bascule/contracts';

@Entity('organisations')
@Check('organisations_rate_limit', 'rate_limit > 0')
@Unique('organisations_live_organisation_id', ['liveOrganisationId'])
export class OrganisationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Organisation that this one is the test organisation of; null for a live one. */
  @Column('uuid', { nullable: true })
  liveOrganisationId!: string | null;

  @ManyToOne(() => OrganisationEntity)
  @JoinColumn({
    name: 'live_organisation_id',
    foreignKeyConstraintName: 'organisations_live_organisation',
  })
  liveOrganisation?: Relation<OrganisationEntity>;

  /** Origins that browsers may call from with this organisation's keys; null for any. */
  @Column('text', { array: true, nullable: true })
  allowedOrigins!: string[] | null;

  /** Units per window of all its keys; null for the deployment's default. */
  @Column('integer', { nullable: true })
  rateLimit!: number | null;

  /** Names of edge rules whose edges are open to the organisation, sorted. */
  @Column('text', { array: true, default: [] })
  openedEdges!: string[];

  /** Origins that return links may redirect to, sorted. */
  @Column('text', { array: true, default: [] })
  redirectOrigins!: string[];

  /** Quotas that differ from the deployment's. */
  @Column('jsonb', { default: {} })
  quotas!: OrganisationQuotas;

  /** Version of the settings, as published; zero until the first change. */
  @Column('integer', { default: 0 })
  version!: number;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
