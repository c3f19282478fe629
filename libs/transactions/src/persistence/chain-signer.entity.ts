import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A key's place on a chain. Its row's lock orders everything the key signs there. */
@Entity('chain_signers')
@Unique(['chain', 'address'])
@Index(['dueAt'])
export class ChainSigner {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  chain!: string;

  @Column('text')
  address!: string;

  @Column(bigintColumn)
  nextNonce!: bigint;

  /** When to compare the chain's nonce with ours again. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt!: Date | null;
}
