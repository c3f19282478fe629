import { bigintColumn } from '@bascule/persistence';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('deposits')
@Index('deposits_named_idx', ['paymentId', 'chain', 'transactionHash', 'position', 'blockHash'], {
  unique: true,
})
@Index('deposits_payment_id_idx', ['paymentId'])
@Index('deposits_chain_block_number_idx', ['chain', 'blockNumber'])
@Index('deposits_single_idx', ['paymentId'], { where: 'NOT is_summed' })
@Index('deposits_unconfirmed_idx', ['chain', 'blockNumber'], { where: 'NOT confirmed' })
export class DepositEntity {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'uuid' })
  paymentId!: string;

  @Column({ type: 'text' })
  chain!: string;

  @Column({ type: 'text' })
  token!: string;

  @Column(bigintColumn)
  amount!: bigint;

  @Column({ type: 'smallint' })
  decimals!: number;

  @Column({ type: 'numeric', nullable: true })
  usdPrice!: string | null;

  @Column({ type: 'text', nullable: true })
  sender!: string | null;

  @Column({ type: 'text' })
  transactionHash!: string;

  @Column({ type: 'text' })
  position!: string;

  @Column({ type: 'bigint' })
  blockNumber!: string;

  @Column({ type: 'text' })
  blockHash!: string;

  @Column({ type: 'timestamptz' })
  blockTimestamp!: Date;

  @Column({ type: 'boolean' })
  confirmed!: boolean;

  /** Read as part of a sum, since the payment has many larger deposits. */
  @Column({ type: 'boolean', default: false })
  isSummed!: boolean;

  /** Confirmed by a second node, where several are configured. */
  @Column({ type: 'boolean', default: false })
  isWitnessed!: boolean;
}
