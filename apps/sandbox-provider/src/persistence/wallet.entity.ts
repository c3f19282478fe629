import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A provider's account on a chain. Its row's lock orders what the account sends. */
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

  /** When to compare the chain's nonce with ours again. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt!: Date | null;
}
