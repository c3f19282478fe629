import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A provider's account on a chain; the lock of its row orders nonces. */
@Entity('wallets')
@Index(['dueAt'])
export class Wallet {
  /** `<network>:<address>`. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  provider!: string;

  @Column('text')
  network!: string;

  @Column('text')
  address!: string;

  @Column(bigintColumn)
  nextNonce!: bigint;

  /** Next comparison of the chain's nonce with the stored one. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt!: Date | null;
}
