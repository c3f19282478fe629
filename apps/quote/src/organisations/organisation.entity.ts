import type { RevenueShareState } from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Newest settings of an organisation that the gateway published. */
@Entity('organisations')
export class OrganisationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('integer')
  version!: number;

  @Column('jsonb')
  revenueShares!: RevenueShareState[];

  /** Names of edge rules. */
  @Column('jsonb', { default: [] })
  openedEdges!: string[];

  /** Last time an event confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
