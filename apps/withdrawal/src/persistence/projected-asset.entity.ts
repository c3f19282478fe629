import type { TokenIdentifier } from '@bascule/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Projection of a token of the catalogue. */
@Entity('assets')
@Index(['chain'])
export class ProjectedAsset {
  @PrimaryColumn('text')
  id!: TokenIdentifier;

  @Column('int')
  version!: number;

  @Column('text')
  chain!: string;

  @Column('text')
  symbol!: string;

  @Column('int')
  decimals!: number;

  @Column('boolean')
  listed!: boolean;

  /** Time of the newest event that confirmed the row. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
