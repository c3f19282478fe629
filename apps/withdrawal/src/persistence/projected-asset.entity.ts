import type { TokenIdentifier } from '@bascule/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A token that the catalogue knows. */
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

  /** When a fact last confirmed it. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}
