import type { Chain } from '@bascule/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('chains')
export class ChainEntity {
  @PrimaryColumn('text')
  name!: string;

  @Column('jsonb')
  chain!: Chain;

  @Column('boolean')
  listed!: boolean;

  @Column('integer')
  version!: number;
}
