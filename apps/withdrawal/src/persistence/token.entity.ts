import { ProjectedAsset } from '@bascule/catalogue-projection';
import type { TokenIdentifier } from '@bascule/contracts';
import { Column, Entity, Index } from 'typeorm';

/** Token of the catalogue; fiat cannot lie in a wallet. */
@Entity('assets')
@Index(['chain'])
export class TokenEntity extends ProjectedAsset {
  declare id: TokenIdentifier;

  @Column('int')
  version!: number;

  @Column('text')
  chain!: string;

  @Column('text')
  symbol!: string;

  @Column('int')
  decimals!: number;
}
