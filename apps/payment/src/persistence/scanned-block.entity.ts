import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Last blocks of each chain, for the detection of reorgs. */
@Entity('scanned_blocks')
export class ScannedBlockEntity {
  @PrimaryColumn({ type: 'text' })
  chain!: string;

  @PrimaryColumn({ type: 'bigint' })
  blockNumber!: string;

  @Column({ type: 'text' })
  blockHash!: string;

  @Column({ type: 'timestamptz' })
  blockTimestamp!: Date;

  /** Node that it was read from; null where there were several, or the version before has scanned it. */
  @Column({ type: 'text', nullable: true })
  readFrom!: string | null;
}
