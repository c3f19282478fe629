import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Progress of each chain's scanner. */
@Entity('chain_cursors')
export class ChainCursorEntity {
  @PrimaryColumn({ type: 'text' })
  chain!: string;

  /** The newest block that was scanned. */
  @Column({ type: 'bigint' })
  blockNumber!: string;

  @Column({ type: 'text' })
  blockHash!: string;

  @Column({ type: 'timestamptz' })
  blockTimestamp!: Date;

  /** Newest scanned block with its confirmations; it and older ones are final. */
  @Column({ type: 'bigint', nullable: true })
  confirmedBlockNumber!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  confirmedBlockTimestamp!: Date | null;

  /** Newest scanned block that two nodes had, where several are configured; null while unknown. */
  @Column({ type: 'bigint', nullable: true })
  witnessedBlockNumber!: string | null;

  /** Newest final block that was read from two nodes, where several are configured. */
  @Column({ type: 'bigint', nullable: true })
  rereadBlockNumber!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  rereadBlockTimestamp!: Date | null;

  /** Time since which no second node was read; null while one is, or nothing is left. */
  @Column({ type: 'timestamptz', nullable: true })
  rereadFailingSince!: Date | null;

  /** With `comparedPaymentId`, the last wallet whose balance was compared after the end of its funding. */
  @Column({ type: 'timestamptz', nullable: true })
  comparedFundBy!: Date | null;

  @Column({ type: 'uuid', nullable: true })
  comparedPaymentId!: string | null;

  /** Since when no node tells balances. */
  @Column({ type: 'timestamptz', nullable: true })
  uncomparedSince!: Date | null;

  /** Time of the next second reading. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt!: Date;

  /** Epoch of the writer's lease: the fence. */
  @Column({ type: 'bigint' })
  epoch!: string;
}
