import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** Signer of a chain. The lock on its row serialises the reservation of the nonces of its key there. */
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

  /** Next comparison of the chain's nonce with ours. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt!: Date | null;
}
