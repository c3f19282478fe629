import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** Signed transaction that delivers an order, stored before its broadcast; rebroadcasts are idempotent. */
@Entity('transfers')
@Unique(['walletId', 'nonce'])
export class Transfer {
  @PrimaryColumn('uuid')
  orderId!: string;

  @Column('text')
  walletId!: string;

  @Column(bigintColumn)
  nonce!: bigint;

  @Column('text')
  hash!: string;

  @Column('text')
  rawTransaction!: string;

  @Column(bigintColumn)
  amount!: bigint;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
