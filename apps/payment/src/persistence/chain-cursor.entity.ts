import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the scanner of each chain has come. */
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

  /** The newest scanned block that has its confirmations: what it and older ones hold is final. */
  @Column({ type: 'bigint', nullable: true })
  confirmedBlockNumber!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  confirmedBlockTimestamp!: Date | null;

  /** Of the lease under which it was written. */
  @Column({ type: 'bigint' })
  epoch!: string;
}
